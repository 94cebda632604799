#!/bin/sh
# SPDX-License-Identifier: MIT
# plots.sh: every plot in the repository is what its drawer makes of docs/results today, but for a coordinate's last digit.
# Another Matplotlib draws other lines: then this is skipped.
here=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd) && cd "$here" || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
version=$(tools/scripts/python -c 'import matplotlib; print("Matplotlib v" + matplotlib.__version__)' 2>/dev/null) ||
    version='no Matplotlib (Debian: apt-get install python3-matplotlib)'
grep -q "$version," docs/results/ladder.svg || {
    echo "skipped: the plots are of another Matplotlib; here is $version"
    exit 77
}
draw() { "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }; }
draw tools/draw/plots/all "$scratch"
draw tools/scripts/python tools/draw/messages.py --out "$scratch/22-messages.svg"
faults=0 count=0
for plot in "$scratch"/*.svg; do
    kept=$(ls steps/*/"${plot##*/}" docs/results/"${plot##*/}" 2>/dev/null)
    count=$((count + 1))
    [ -n "$kept" ] && LC_ALL=C awk -f tests/nearly-equal.awk "$kept" "$plot" || {
        echo "${kept:-${plot##*/}} is stale: draw it anew (docs/pictures.md says with what) and look at it"
        faults=1
    }
done
echo "$count plots compared"
exit $faults
