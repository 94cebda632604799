#!/bin/sh
# SPDX-License-Identifier: MIT
# borrows.sh STEP...: a step includes headers of three other steps at most, and none of them brings in those of a step
# that it does not include itself. The paragraph "Made of:" at the head of its chapter says what it takes and lends.
set -eu
failed=0
fail() { echo "$*"; failed=1; }
includes() { sed -n 's/^#include "\([^"]*\)".*/\1/p' "$@"; }
sources() { ls "$1"/*.c "$1"/*.h "$1"/*.cu "$1"/*.cuh 2>/dev/null || true; }
# The headers of steps that a file includes, also through others.
reached() {
    for header in $(includes "$1"); do
        case $header in
        steps/*) ;;
        */*) continue ;;
        *) header=${1%/*}/$header ;;
        esac
        [ ! -e "$header" ] || { echo "$header"; reached "$header"; }
    done
}
# a, b and c: lines as a phrase
phrase() { awk '{ item[NR] = $0 } END { for (i = 1; i <= NR; i++) printf "%s%s", item[i], i == NR ? "" : i == NR - 1 ? " and " : ", " }'; }
quoted() { awk -F/ '{ print "`" $NF "`" }' | phrase; }
for step in "$@"; do
    # shellcheck disable=SC2046 # file names are words
    taken=$(includes $(sources "$step") | grep '^steps/' | grep -v "^$step/" | sort -u || true)
    from=$(echo "$taken" | sed -n 's:/[^/]*$::p' | sort -u)
    # shellcheck disable=SC2086
    [ "$(echo "$from" | grep -c .)" -le 3 ] || fail "$step takes headers from more than three steps:" $from
    compiled=$(grep -o '\.\./[0-9][0-9]-[a-z0-9-]*' "$step/CMakeLists.txt" | sed 's:^\.\.:steps:' | sort -u || true)
    for other in $compiled; do
        echo "$from" | grep -qx "$other" || fail "$step compiles a source of $other, but includes none of its headers"
    done
    for file in $taken; do
        for other in $(reached "$file" | sed 's:/[^/]*$::' | sort -u); do
            [ "$other" = "$step" ] || echo "$from" | grep -qx "$other" || fail "$step gets $other through $file"
        done
    done
    # shellcheck disable=SC2046
    lent=$(for other in steps/*; do [ "$other" = "$step" ] || includes $(sources "$other"); done |
        grep "^$step/" | sort -u || true)
    [ -n "$taken$lent" ] || continue
    says="Made of: $( (echo 'its own files'; for other in $from; do
        name=${other#steps/}
        echo "$(echo "$taken" | grep "^$other/" | quoted) of [step ${name%%-*}](../$name/README.md)"
    done) | phrase).${lent:+ Later steps use $(echo "$lent" | quoted).}"
    awk '/^Made of:/ { on = 1 } on && !NF { exit } on { printf "%s%s", sep, $0; sep = " " }' "$step/README.md" |
        grep -Fxq "$says" || fail "$step/README.md should say: $says"
done
exit $failed
