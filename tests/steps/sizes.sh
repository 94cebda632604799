#!/bin/sh
# SPDX-License-Identifier: MIT
# sizes.sh PROGRAM PRECISIONS [OPTIONS]: every variant of a step over a matrix of sizes. Each call
# checks the exact tiers bit for bit, then random data against the bound; no runs are timed, and so there
# is no product of another shape after them (this has the shapes). SIZES says at which sizes: some (which is
# the default), or the rest, which a long test has, in the first precision: the others are compiled from the
# same source. Or few: on a GPU a program takes half a second to begin, and the simulated GPU has run the same
# source on all. Or small, or least: sizes that a slow program finishes soon. The sanitizers look for accesses
# outside, which the edges of small matrices have, too.
program=$1 precisions=$2
shift 2
inputs='integers kaporin' whole=128
choose() { # some|rest|few|small, and for the precisions after the first other|few|least
    case $1 in
    rest)
        squares='2 3 7 13 16 32 33 63 65 127 128'
        shapes='17x1x5 5x17x1 2x3x66 64x33x97 97x64x33 127x65x31 48x80x112'
        inputs='positive scaled identity zeros kaporin-f32' ;;
    some)
        squares='1 31 64 129'
        shapes='1x17x5 66x3x2 33x97x64 100x101x102'
        inputs='integers kaporin' ;;
    few)
        squares='1 129'
        shapes='1x17x5 100x101x102' ;;
    small)
        squares='1 33 65'
        shapes='1x17x5 60x3x2 50x41x33'
        whole=64 ;;
    other | least)
        squares=129
        [ "$1" = other ] || squares=33
        shapes='50x41x33'
        inputs='integers'
        whole=64 ;;
    esac
}
dense='17x1x5 1x17x5 66x3x2 33x97x64' sizes=${SIZES:-some}
export OMP_WAIT_POLICY=passive # small problems: threads that spin cost more than they help
export LADDER_CALL=0             # the packed product takes all threads, however small it is
"$program" --n 1 --quiet "$@" >/dev/null 2>&1 </dev/null
if [ $? -eq 3 ]; then
    "$program" --n 1 --quiet "$@"
    echo "skipped: $(basename "$program") has nothing to run on here"
    exit 77
fi
runs=0 failed=0 inexact=0
try() {
    runs=$((runs + 1))
    output=$("$program" --quiet --untimed "$@" 2>&1 </dev/null) && return
    case $(basename "$program"):$precision:$input:$(printf '%s\n' "$output" | sed -f "$(dirname "$0")/../join.sed") in
    # Step 24's tables have halves, which add six bits for each level: no integers are exact at this depth.
    24-*:f32:integers:*"not exact in f32; use fewer levels"*) inexact=$((inexact + 1)) ;;
    *)
        echo "FAILED: $program $*"
        printf '%s\n' "$output"
        failed=$((failed + 1))
        ;;
    esac
}
[ "$sizes" != rest ] || precisions=${precisions%% *}
for precision in $precisions; do
    choose "$sizes"
    case $sizes in some) sizes=other ;; small) sizes=least ;; esac
    input=uniform
    [ "$precision" = i32 ] && input=integers
    for n in $squares; do
        try --precision "$precision" --input $input --n "$n" "$@"
    done
    # m, n, k all different, each the smallest, the largest and the middle one in turn
    for shape in $shapes; do
        dimensions=$(echo "$shape" | sed 's/\(.*\)x\(.*\)x\(.*\)/--m \1 --n \2 --k \3/')
        # Rows end where the next begin in all squares, and in these.
        # shellcheck disable=SC2086
        case " $dense " in
        *" $shape "*) try --precision "$precision" --input $input $dimensions "$@" ;;
        esac
        # shellcheck disable=SC2086
        try --precision "$precision" --input $input --ld-extra 5 --seed 7 $dimensions "$@"
    done
    # only the leading dimensions are padded
    try --precision "$precision" --input $input --n $whole --ld-extra 5 "$@"
    [ "$precision" = i32 ] && continue
    for input in $inputs; do
        try --precision "$precision" --input "$input" --n 50 "$@"
    done
done
echo "$runs runs of $(basename "$program"), $failed failed, $inexact without exact integers at this depth"
[ "$failed" -eq 0 ]
