#!/bin/sh
# SPDX-License-Identifier: MIT
# walks.sh PAGE: the walks from main() to a kernel in PAGE. A numbered item begins all walks, an item with a star one of
# them, below a line "**Run NN**, N files". Each item names a file by a link and functions of it as `name()`: the file
# must define it, or make it by a macro of that name. A walk has N files, for run 10 at most 6, otherwise 9.
cd "$(dirname "$0")/../.." || exit 2
awk '
function fault(text) { print FILENAME ":" FNR ": " text; faults++ }
function end_walk() {
    if (run && first + files != said)
        fault("run " run ": " first + files " files, and the page says " said)
    if (run && first + files > (run == 10 ? 6 : 9))
        fault("run " run ": " first + files " files are too many")
    run = files = 0
}
function look_for(name, path,    line, before, call, found, status) {
    call = name "\\("
    while ((status = (getline line < path)) > 0) {
        if (line ~ "^(#define )?" call) # a macro, or made by one
            found = 1
        if (line ~ "^( +static |[a-z].*[ *])" ".*" call || before ~ /^static .*\)$/ && line ~ "^ +" call)
            found = found || line !~ /;$/
        before = line
    }
    close(path)
    if (status < 0)
        fault(path " is not there")
    else if (!found)
        fault(path " defines no " name "()")
}
/^## / { end_walk(); inside = /from `main` to a kernel/; item = "" }
!inside { next }
/^\*\*Run [0-9]+\*\*, [0-9]+ files/ { end_walk(); run = substr($2, 1, 2) + 0; said = $3; walks++; item = "" }
/^$/ { item = "" }
/^([0-9]+\.|\*) / {
    item = $0
    sub(/^[^[]*\[[^]]*\]\(/, "", item)
    sub(/\).*/, "", item)
    run ? files++ : first++
    if (run && seen[run, item]++)
        fault(item " is named twice")
}
item {
    for (rest = $0; match(rest, /`[A-Za-z0-9_]+\(\)`/); rest = substr(rest, RSTART + RLENGTH))
        look_for(substr(rest, RSTART + 1, RLENGTH - 4), item)
}
END {
    end_walk()
    print walks + 0 " walks, " faults + 0 " faults"
    exit !walks || faults
}' "$1"
