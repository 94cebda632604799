#!/bin/sh
# figures.sh PROGRAM DOCUMENT: every cell that Li et al. (2011) print comes out of the cost model,
# and the program prints no row that the document does not have.
program=$1 document=$2
ours=$(mktemp) theirs=$(mktemp)
trap 'rm -f "$ours" "$theirs"' EXIT
for figure in 11 14 15 17 18 19 20 21 22; do
    "$program" $figure || exit 1
done | sed -E '/^Figure/{s/^Figure ([0-9]+).*/\1/;h;d;}
    /^ *(kernel|method|n) |^$/d
    s/^ +//; G; s/(.*)\n(.*)/\2 \1/' | tr -s ' ' >"$ours"
sed -E '/^#/d; s/ \| / /g' "$document" | tr -s ' ' >"$theirs"
diff "$theirs" "$ours" || {
    echo "FAILED: < is the document's, > is the model's"
    exit 1
}
echo "$(wc -l <"$ours") rows are the document's"
