#!/bin/sh
# sizes.sh PROGRAM PRECISIONS [OPTIONS]: every variant of a step over a matrix of sizes. Each call
# checks both tiers (integers bit for bit, then random data against the bound).
program=$1 precisions=$2
shift 2
export OMP_WAIT_POLICY=passive # small problems: threads that spin cost more than they help
"$program" --n 1 --quiet >/dev/null 2>&1 </dev/null
if [ $? -eq 3 ]; then
    "$program" --n 1 --quiet
    echo "skipped: $(basename "$program") has nothing to run on here"
    exit 77
fi
runs=0 failed=0
try() {
    runs=$((runs + 1))
    if ! output=$("$program" --quiet --reps 1 --warmup 0 "$@" 2>&1 </dev/null); then
        echo "FAILED: $program $*"
        printf '%s\n' "$output"
        failed=$((failed + 1))
    fi
}
for precision in $precisions; do
    input=uniform
    [ "$precision" = i32 ] && input=integers
    for n in 1 2 3 7 13 16 31 32 33 63 64 65 127 128 129; do
        try --precision "$precision" --input $input --n $n "$@"
    done
    # m, n, k all different, each the smallest, the largest and the middle one in turn
    for shape in "1 17 5" "17 1 5" "5 17 1" "2 3 130" "64 33 97" "97 64 33" "33 97 64" "130 3 2" \
        "100 101 102" "127 65 31" "48 80 112"; do
        # shellcheck disable=SC2086
        try --precision "$precision" --input $input $(set -- $shape; echo --m $1 --n $2 --k $3) "$@"
        # shellcheck disable=SC2086
        try --precision "$precision" --input $input --ld-extra 5 --seed 7 \
            $(set -- $shape; echo --m $1 --n $2 --k $3) "$@"
    done
    # nothing to pad but the leading dimensions
    try --precision "$precision" --input $input --n 128 --ld-extra 5 "$@"
    [ "$precision" = i32 ] && continue
    for input in integers identity zeros kaporin; do
        try --precision "$precision" --input $input --n 50 "$@"
    done
done
echo "$runs runs of $(basename "$program"), $failed failed"
[ "$failed" -eq 0 ]
