#!/bin/sh
# accuracy.sh PROGRAM METHOD N TAU2 DOCUMENT: Kaporin's matrices, as in Li et al. (2011),
# section 8.1.2. Passes when the largest error is within 25% of Figure 30 and the average one within
# 50% of Figure 31.
program=$1 method=$2 n=$3 tau2=$4 document=$5
line=$("$program" --n "$n" --tau1 $((tau2 / 2)) --tau2 "$tau2" --input kaporin --reps 0 --no-count --json) || exit 1
echo "$line"
echo "$line" | awk -v row="$method $tau2" -v n="$n" -v document="$document" '
function value(name) {
    match($0, "\"" name "\":[^,}]*")
    return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) + 0
}
function compare(figure, ours, tolerance,    text, part, cell, theirs) {
    while ((getline text < document) > 0)
        if (split(text, part, " [|] ") == 3 && part[1] == figure && part[2] == row) {
            split(part[3], cell, " ")
            theirs = cell[int(log(n / 1024) / log(2) + 0.5)] + 0
        }
    close(document)
    printf "Figure %d, %s, n = %d: %.2g, document %.2g\n", figure, row, n, ours, theirs
    if (!(theirs > 0) || ours > theirs * (1 + tolerance) || ours < theirs * (1 - tolerance)) failed = 1
}
{
    compare(30, value("max_error"), 0.25)
    compare(31, value("mean_error"), 0.5)
}
END { exit failed }' || {
    echo "FAILED: further from the document than 25% (maximum) or 50% (average)"
    exit 1
}
