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
# LADDER_PHONE=1 draws for a window of 390 pixels: letters of 11 pixels, the key below, long titles in lines of 45
# letters; `phone_high` tall.
phone=${LADDER_PHONE-} phone_high=430
gnuplot() { # -d FILE, or -d -c FILE ARGUMENT
    plot=$2 given=''
    [ "$2" != -c ] || { plot=$3 given=-c; }
    [ -z "$phone" ] || {
        sed -E "s/^(set terminal svg size )[0-9]+,[0-9]+/\\1390,$phone_high/; s/(sans[a-z-]*),13/\\1,12.5/; s/(font '(sans-serif)?),11'/\1,12'/g
            s/^set key outside.*/set key outside below left vertical maxcols 1 Left reverse samplen 2/; s/\{\/\*0.8/{\/*0.96/
            s/^(set xtics nomirror)\$/\\1 rotate by 35 right/; s/^set xtics \(1, 2, 4/set xtics rotate by 60 right (1, 2, 4/
            s/^( *set title )'(.*)' textcolor/\\1\"\\2\" textcolor/
            /^ *set title \"[^\\\\\"]{43}/s/^( *set title \"[^\\\\\"]{20,42}) /\\1\\\\n/; /^ *set title \"[^\\\\]+\\\\n[^\\\\\"]{43}/s/^( *set title \"[^\\\\]+\\\\n[^\\\\\"]{20,42}) /\\1\\\\n/" "$plot" >"$scratch/phone.plot"
        plot=$scratch/phone.plot
    }
    shift $((${given:+1} + 2))
    command gnuplot -d $given "$plot" "$@"
}
