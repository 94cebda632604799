#!/bin/sh
# SPDX-License-Identifier: MIT
# interrupted.sh SIM SOURCE: Ctrl-C and other ends, while it compiles or runs, leave nothing in TMPDIR.
sim=$1 source=$2
TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/interrupted.XXXXXX") || exit 1
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
for signal in INT TERM HUP; do
    timeout -s $signal 1 "$sim" --limit 5 "$source" >/dev/null 2>&1
    left=$(ls "$TMPDIR")
    [ -z "$left" ] || { echo "FAILED: $signal left behind: $left"; exit 1; }
done
