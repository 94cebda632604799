#!/bin/sh
# SPDX-License-Identifier: MIT
# plots.sh: every plot in the repository is what its drawer makes of docs/results today. Plots by another gnuplot
# differ in every line: then this is skipped.
here=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd) && cd "$here" || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
version=$(gnuplot --version | awk '{ print "GNUPLOT " $2 " patchlevel " $4 }')
grep -q "$version" docs/results/ladder.svg || {
    echo "skipped: the plots are not by $version"
    exit 77
}
draw() { "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }; }
draw tools/draw/results --out "$scratch"
draw tools/draw/performance --out "$scratch/performance.svg"
draw tools/draw/performance --panel float --out "$scratch/ladder.svg"
draw tools/draw/roofline --out "$scratch/roofline.svg"
draw tools/draw/tensor-cores --out "$scratch/21-time-error.svg"
draw tools/draw/errors --out "$scratch/19-errors.svg"
draw tools/draw/messages --out "$scratch/22-messages.svg"
draw tools/draw/words --out "$scratch/22-words.svg"
draw tools/draw/words --panel times --out "$scratch/22-times.svg"
faults=0 count=0
for plot in "$scratch"/*.svg; do
    kept=$(ls steps/*/"${plot##*/}" docs/results/"${plot##*/}" 2>/dev/null)
    count=$((count + 1))
    cmp -s "$plot" "$kept" || {
        echo "${kept:-${plot##*/}} is stale: draw it anew (docs/pictures.md says with what) and look at it"
        faults=1
    }
done
echo "$count plots compared"
exit $faults
