#!/bin/sh
# every-size.sh PROGRAM LAST [OPTIONS]: every variant, bit for bit on integers, for n = 1 ... LAST.
program=$1 last=$2
shift 2
n=1 failed=0
while [ "$n" -le "$last" ]; do
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
    n=$((n + 1))
done
echo "$last sizes of $(basename "$program"), $failed failed"
[ "$failed" -eq 0 ]
