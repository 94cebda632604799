#!/bin/sh
# SPDX-License-Identifier: MIT
# borrows.sh STEP...: a step includes headers of three other steps at most, and none of them brings in those of a step
# that it does not include itself. The paragraph "Made of:" at the head of its chapter says what it takes and lends.
set -eu
# Every include of a header of a step, and every source of another step that a step compiles.
{
    grep -H '^#include "' steps/*/*.c steps/*/*.h steps/*/*.cu steps/*/*.cuh |
        sed -n 's:^\(.*/\)\([^/]*\)\:#include "\([^/"]*\)".*:include \1\2 \1\3:p
                s:^\([^\:]*\)\:#include "\(steps/[^"]*\)".*:include \1 \2:p'
    grep -o '\.\./[0-9][0-9]-[a-z0-9-]*' steps/*/CMakeLists.txt | sed 's,^\(.*\):\.\./,compile \1 steps/,'
} | awk -v wanted="$*" '
    function step_of(path) { match(path, /^steps\/[^\/]*/); return substr(path, 1, RLENGTH) }
    function fail(text) { print text; failed = 1 }
    function add(list, item) { return index(list " ", " " item " ") ? list : list " " item }
    # What a header includes, also through others: notes the steps.
    function reach(header,    of, i, n) {
        if (seen[header]++) return
        n = split(includes[header], of, " ")
        for (i = 1; i <= n; i++) { reached = add(reached, step_of(of[i])); reach(of[i]) }
    }
    function sorted(list,    item, n, i, j, swap) {
        n = split(list, item, " "); list = ""
        for (i = 1; i <= n; i++)
            for (j = i + 1; j <= n; j++) if (item[j] < item[i]) { swap = item[i]; item[i] = item[j]; item[j] = swap }
        for (i = 1; i <= n; i++) list = list " " item[i]
        return list
    }
    # Items with "|" between them as "a, b and c".
    function phrase(list,    item, n, i, text) {
        n = split(list, item, "|")
        for (i = 1; i <= n; i++) text = text item[i] (i == n ? "" : i == n - 1 ? " and " : ", ")
        return text
    }
    function quoted(list, step,    item, n, i, text) {
        n = split(sorted(list), item, " ")
        for (i = 1; i <= n; i++)
            if (step_of(item[i]) == step)
                text = text (text == "" ? "" : "|") "`" substr(item[i], length(step) + 2) "`"
        return phrase(text)
    }
    $1 == "include" {
        includes[$2] = includes[$2] " " $3
        if (step_of($2) != step_of($3)) {
            taken[step_of($2)] = add(taken[step_of($2)], $3)
            from[step_of($2)] = add(from[step_of($2)], step_of($3))
            lent[step_of($3)] = add(lent[step_of($3)], $3)
        }
    }
    $1 == "compile" { compiles[step_of($2)] = add(compiles[step_of($2)], step_of($3)) }
    END {
        steps = split(wanted, step, " ")
        for (s = 1; s <= steps; s++) {
            me = step[s]
            others = split(sorted(from[me]), other, " ")
            if (others > 3) fail(me " takes headers from more than three steps:" from[me])
            n = split(compiles[me], item, " ")
            for (i = 1; i <= n; i++)
                if (!index(from[me] " ", " " item[i] " "))
                    fail(me " compiles a source of " item[i] ", but includes none of its headers")
            n = split(taken[me], header, " ")
            for (i = 1; i <= n; i++) {
                split("", seen); reached = ""; reach(header[i])
                m = split(reached, item, " ")
                for (j = 1; j <= m; j++)
                    if (item[j] != me && !index(from[me] " ", " " item[j] " ")) fail(me " gets " item[j] " through " header[i])
            }
            if (taken[me] lent[me] == "") continue
            text = "its own files"
            for (i = 1; i <= others; i++) {
                name = substr(other[i], 7)
                text = text "|" quoted(taken[me], other[i]) " of [step " substr(name, 1, 2) "](../" name "/README.md)"
            }
            says = "Made of: " phrase(text) "." (lent[me] == "" ? "" : " Later steps use " quoted(lent[me], me) ".")
            page = me "/README.md"; line = ""; on = 0
            while ((getline text < page) > 0) {
                if (text ~ /^Made of:/) on = 1
                if (on && text == "") break
                if (on) line = line (line == "" ? "" : " ") text
            }
            close(page)
            if (line != says) fail(page " should say: " says)
        }
        exit failed
    }'
