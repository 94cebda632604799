#!/bin/sh
# SPDX-License-Identifier: MIT
# rungs.sh PROGRAM: step 05's --rungs measures the ways that --variant, --levels and --leaf let through, each with its
# prediction and with its rates.
program=$1
failed=0
# ways EXPECTED OPTIONS...: the variants that are measured, with leaf and levels.
ways() {
    expected=$1
    shift
    output=$("$program" --rungs --json --n 40 --reps 1 --threads 2 "$@" 2>&1 </dev/null)
    status=$?
    if [ $status -eq 3 ]; then
        echo "skipped: $output"
        exit 77
    fi
    got=$(printf '%s\n' "$output" | sed -n 's/.*"variant":"\([^"]*\)","leaf":"\([^"]*\)".*"levels":\([0-9]*\).*/\1:\2:\3/p' | tr '\n' ' ')
    if [ $status -ne 0 ] || [ "$got" != "$expected " ]; then
        echo "FAILED: $*: status $status, '$got' instead of '$expected '"
        printf '%s\n' "$output"
        failed=1
    fi
    if printf '%s\n' "$output" |
        grep -Evq '"predicted_ms":[0-9.e-]+,"kernel_gflops":[0-9.e+]+,"memory_gb_s":[0-9.e+]+,'; then
        echo "FAILED: $*: no prediction, or no rates"
        failed=1
    fi
}
ways 'packed:-:0 packed-sums:-:1 by-size:-:0' --levels 1 --leaf packed --variant packed-sums,by-size
ways 'fused:openblas:1' --levels 1 --leaf openblas --variant fused
ways 'packed:-:0 packed-both:-:1 packed-both:-:2 fused:packed:1 fused:packed:2 fused:openblas:1 fused:openblas:2' \
    --variant packed-both,fused
exit $failed
