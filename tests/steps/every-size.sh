#!/bin/sh
# SPDX-License-Identifier: MIT
# every-size.sh PROGRAM LAST [OPTIONS]: every variant, bit for bit on integers, for n = 1 ... LAST. With SIZES=few
# only multiples of 16 and their neighbours: on a GPU a program takes half a second to begin.
program=$1 last=$2
shift 2
n=0 sizes=0 failed=0
while [ "$n" -lt "$last" ]; do
    n=$((n + 1))
    case ${SIZES-}$((n % 16)) in
    few0 | few1 | few15) ;;
    few*) continue ;;
    esac
    sizes=$((sizes + 1))
    output=$("$program" --quiet --reps 0 --input integers --n "$n" "$@" 2>&1 </dev/null)
    status=$?
    if [ $status -eq 3 ] && [ "$n" -eq 1 ]; then
        printf '%s\nskipped: nothing to run on here\n' "$output"
        exit 77
    elif [ $status -ne 0 ]; then
        echo "FAILED: n = $n"
        printf '%s\n' "$output"
        failed=$((failed + 1))
    fi
done
echo "$sizes sizes of $(basename "$program"), $failed failed"
[ "$failed" -eq 0 ]
