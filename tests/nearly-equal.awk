# awk -f nearly-equal.awk KEPT NEW: whether two plots (SVG) are the same but for rounding: the same lines, in which
# only coordinates differ, by 0.11 at most. Mathematical functions round the last digit differently from
# one processor to another. What can be read in the plot is equal. Prints the first lines that differ,
# and ends with status 1.
BEGIN {
    kept = ARGV[1]
    new = ARGV[2]
    do {
        line++
        first = (getline a <kept) > 0
        second = (getline b <new) > 0
        if (first != second) {
            print (first ? new : kept) " ends before line " line
            exit 1
        }
        if (first && a != b && !near(a, b)) {
            print kept ":" line ": " a "\n" new ":" line ": " b
            wrong++
        }
    } while (first && wrong < 3)
    exit wrong > 0
}
function near(a, b,    x, y, before) {
    if (a ~ /<text|<tspan|<title/)
        return 0
    while (match(a, /-?[0-9]+(\.[0-9]+)?/)) {
        x = substr(a, RSTART, RLENGTH)
        before = substr(a, 1, RSTART - 1)
        a = substr(a, RSTART + RLENGTH)
        if (!match(b, /-?[0-9]+(\.[0-9]+)?/) || before != substr(b, 1, RSTART - 1))
            return 0
        y = substr(b, RSTART, RLENGTH)
        b = substr(b, RSTART + RLENGTH)
        if (x - y > 0.11 || y - x > 0.11)
            return 0
    }
    return a == b
}
