#!/bin/sh
# SPDX-License-Identifier: MIT
# wants.sh 'TOOL ...' COMMAND...: runs the command where these tools are installed by now; otherwise it says which
# one is missing, and that the test is skipped.
tools=$1
shift
for tool in $tools; do
    case $tool in
    python3-*) "$(dirname "$0")/../tools/scripts/python" -c "import ${tool#python3-}" 2>/dev/null && continue ;;
    *) command -v "$tool" >/dev/null && continue ;;
    esac
    case $tool in
    gnuplot) package=gnuplot-nox ;;
    mdl) package=ruby-mdl ;;
    node) package=nodejs ;;
    nvcc) package=nvidia-cuda-toolkit ;;
    *) package=$tool ;;
    esac
    echo "skipped: $tool is not installed (Debian: apt-get install $package)"
    exit 77
done
exec "$@"
