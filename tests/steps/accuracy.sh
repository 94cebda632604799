#!/bin/sh
# SPDX-License-Identifier: MIT
# accuracy.sh PROGRAM METHOD N TAU2 NUMBERS: Kaporin's matrices, as in Li et al. (2011), section 8.1.2,
# made and averaged as the document must have done it: in single precision. Passes when the largest
# error is within 10% of Figure 30 and the average one within 10% of Figure 31.
LC_ALL=C # a point in numbers, whatever the language
export LC_ALL
program=$1 method=$2 n=$3 tau2=$4 document=$5
line=$("$program" --n "$n" --tau1 $((tau2 / 2)) --tau2 "$tau2" --input kaporin-f32 --reps 0 --no-count --json) || exit 1
echo "$line"
echo "$line" | awk -v row="$method $tau2" -v n="$n" -v document="$document" '
function value(name) {
    match($0, "\"" name "\":[^,}]*")
    return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) + 0
}
function compare(figure, ours, tolerance,    text, part, theirs) {
    while ((getline text < document) > 0)
        if (split(text, part, ",") == 5 && part[1] == figure && part[3] == row && part[4] == n)
            theirs = part[5] + 0
    close(document)
    printf "Figure %d, %s, n = %d: %.2g, document %.2g\n", figure, row, n, ours, theirs
    if (!(theirs > 0) || ours > theirs * (1 + tolerance) || ours < theirs * (1 - tolerance)) failed = 1
}
{
    compare(30, value("max_error"), 0.1)
    compare(31, value("mean_error_f32"), 0.1)
}
END { exit failed }' || {
    echo "FAILED: further from the document than 10%"
    exit 1
}
