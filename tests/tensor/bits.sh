#!/usr/bin/env bash
# bits.sh PROGRAM LEAST MOST: checks that C has the bits that a GPU computed, for the lines of docs/results/h200/21-bits.txt about the
# program (its name without .sim) with a size m n k from LEAST to below MOST.
set -e
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
wrong=0 tried=0
while read -r name variant levels m n k bits; do
  size=$((m * n * k))
  [ "$name.sim" = "${1##*/}" ] && [ $size -ge "$2" ] && [ $size -lt "$3" ] || continue
  "$1" --no-count --variant "$variant" --levels "$levels" --m "$m" --n "$n" --k "$k" --reps 0 --quiet --output "file:$folder/C.npy" > "$folder/log" ||
    cat "$folder/log"
  got=$(sha256sum < "$folder/C.npy" | cut -c1-16)
  tried=$((tried + 1))
  [ "$got" = "$bits" ] || { wrong=$((wrong + 1)); echo "$variant, $levels levels, $m x $n x $k: $got, not $bits"; }
done < <(grep -E '^2[13]-.* [0-9a-f]{16}$' "$here/../../docs/results/h200/21-bits.txt")
echo "$wrong of $tried have other bits"
[ "$wrong" = 0 ] && [ "$tried" -gt 0 ]
