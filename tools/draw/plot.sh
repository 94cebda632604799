# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# tools/draw/plot.sh: what the scripts that draw results share; they read it with `.` at their beginning.
# shellcheck disable=SC2034 # their scripts use here, results and out
set -eu
LC_ALL=C # a point in numbers, whatever the language
export LC_ALL
here=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
results='' out=''

usage() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2; exit 2; } # a script's head is its help
own_option() { return 1; } # a script defines it anew for options beside --results and --out: OPTION VALUE
options() { # "$@"
    while [ $# -gt 0 ]; do
        [ $# -ge 2 ] || usage
        case $1 in
        --results) results=$2 ;;
        --out) out=$2 ;;
        *) own_option "$1" "$2" || usage ;;
        esac
        shift 2
    done
}
needs() { # TOOL...
    for tool in "$@"; do
        command -v "$tool" >/dev/null || { echo "draw/${0##*/} needs $tool" >&2; exit 3; }
    done
}
nothing() { echo "draw/${0##*/}: no $*" >&2; exit 3; } # it says what is missing
make_scratch() { scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT; }
phone=${LADDER_PHONE-} # set: draw for a window of 390 pixels, with letters of at least 11
