# SPDX-License-Identifier: MIT
# read-answers.sh reads the answers in check.md and *.cheats, for gate.sh and cheats.sh:
#
#   == NAME                begins an answer. What it does not change is as in the solution.
#   == NAME in EXERCISE    the same, in a file of answers to several exercises
#   expect: REGEX          a line of what the check must say, an extended regular expression
#   seconds: N             how long it may run: for an answer that never ends
#   - TEXT                 an edit: this text is replaced wherever it occurs between the marks ...
#   + TEXT                 ... by this one; where no such line follows, the whole line is removed
#   anything else          a region: these lines are put between the solution's first two marks
#
# An answer has either edits or a region. Nothing in TEXT is special; several lines that begin with +
# become several lines. Above the first answer there may be comments, which begin with #.
#
# The caller has a folder $work and a function problem().
# shellcheck shell=sh disable=SC2034,SC2094,SC2154 # the caller's, too

# part_of FILE PART: the lines below "## PART", without the fences of code.
part_of() { awk -v part="## $2" '/^## / { inside = $0 == part; next } inside && !/^```/' "$1"; }

# each_answer FILE COMMAND: calls COMMAND for every answer in the file, with $name, $where (the
# exercise), $expected, $seconds, and the edits or the region in $work/body.
each_answer() {
    name=''
    while IFS= read -r line <&3; do
        case $line in
        '== '*)
            [ -z "$name" ] || $2
            # shellcheck disable=SC2086 # words
            set -- "$1" "$2" ${line#== }
            case "$# ${4-}" in '3 ' | '5 in') ;; *) problem "$1: what is '$line'?" ;; esac
            name=${3-} where=${5-} expected='' seconds=''
            : >"$work/body" ;;
        'expect: '*) expected=${line#expect: } ;;
        'seconds: '*) seconds=${line#seconds: } ;;
        *)
            if [ -n "$name" ]; then
                printf '%s\n' "$line" >>"$work/body"
            else
                case $line in '' | '#'*) ;; *) problem "$1: no answer has begun before '$line'" ;; esac
            fi ;;
        esac
    done 3<"$1"
    [ -z "$name" ] || $2
}

has_edits() { head -n 1 "$work/body" | grep -q '^- '; }

# make_answer SOLUTION ANSWER [everywhere]: writes the answer that $work/body makes of the solution.
# Edits work between the marks, or everywhere.
make_answer() {
    awk -v body="$work/body" -v everywhere="${3-}" -v complaints="$work/complaints" '
    function complain(what) { print what >complaints }
    function replaced(line, old, new,    done, at) {
        while ((at = index(line, old)) > 0) {
            done = done substr(line, 1, at - 1) new
            line = substr(line, at + length(old))
        }
        return done line
    }
    # Carries out the edit that begins in line `at` of the body; returns the number of the line after it.
    function edit(at,    old, new, removes, changes, i, line) {
        old = substr(said[at++], 3)
        removes = said[at] !~ /^\+( |$)/
        if (!removes)
            for (new = substr(said[at++], 3); said[at] ~ /^\+( |$)/; at++)
                new = new "\n" substr(said[at], 3)
        for (i = 1; i <= lines; i++)
            if ((region[i] || everywhere) && !removed[i] && old != "" && index(text[i], old)) {
                line = replaced(text[i], old, new)
                changes = changes || removes || line != text[i]
                removed[i] = removes
                text[i] = line
            }
        if (!changes)
            complain("\047- " old "\047 changes nothing")
        return at
    }
    BEGIN {
        printf "" >complaints
        while ((getline line <body) > 0) said[++all] = line
        while (all > 0 && said[all] == "") all--
        if (all == 0)
            complain("it has neither edits nor a region")
        has_edits = said[1] ~ /^- /
    }
    /\/\* END \*\// { inside = 0 }
    { text[++lines] = $0; region[lines] = inside }
    /\/\* YOUR CODE/ { inside = ++regions }
    END {
        for (at = 1; has_edits && at <= all;)
            if (said[at] ~ /^- /)
                at = edit(at)
            else if (said[at++] != "")
                complain("\047" said[at - 1] "\047 is no edit")
        for (i = 1; i <= lines; i++) {
            if (!has_edits && region[i] == 1 && region[i - 1] != 1)
                for (at = 1; at <= all; at++) print said[at]
            if (!removed[i] && (has_edits || region[i] != 1))
                print text[i]
        }
    }' "$1" >"$2"
    while IFS= read -r complaint <&4; do
        problem "$name: $complaint"
    done 4<"$work/complaints"
}
