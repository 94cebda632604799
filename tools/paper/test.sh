#!/bin/sh
# SPDX-License-Identifier: MIT
# test.sh PROGRAM SOURCE: `./ladder paper` lists every figure and table of the four documents, each with
# one of four answers, and shows each: exact ones equal to the document in every cell, measured ones with
# numbers of both. The lists below are the documents' own.
program=$1 source=$2
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}
li=$(i=1; while [ $i -le 44 ]; do echo $i; i=$((i + 1)); done)
fatahalian='fatahalian-table-1 fatahalian-table-2 fatahalian-figure-1 fatahalian-figure-2'
more='fatahalian-analysis texture-sgemm conclusion' # statements that numbers can test
study='study-counts study-memory study-order study-winograd'
musella='musella-table-1.2 musella-table-2.1 musella-table-5.0.1 musella-table-5.0.2 musella-figure-2.1 musella-figure-2.2
    musella-figure-2.3 musella-figure-2.4 musella-figure-5.1 musella-figure-5.2'
exact='2 3 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23'

"$program" --source "$source" >"$scratch/list" || fail "the list ends with status $?"
for item in $li $fatahalian $study $musella $more; do
    answer=$(sed -n "s/^  $item  *\(exact\|measured here\|measured on a GPU\|a drawing\)  .*/\1/p" "$scratch/list")
    [ -n "$answer" ] || { fail "$item is not listed with an answer"; continue; }
    case " $exact $study " in *" $item "*) [ "$answer" = exact ] || fail "$item is '$answer', not exact" ;; esac
    "$program" --source "$source" --out "$scratch" "$item" >"$scratch/shown" 2>&1 || {
        fail "$item ends with status $?"
        cat "$scratch/shown"
    }
    grep -q '^What to see: .' "$scratch/shown" || fail "$item does not say what to see"
    grep -Eq '^Agrees: (yes|in part|no|no numbers)$' "$scratch/shown" || fail "$item does not say whether it agrees"
    case $answer in
    'a drawing') grep -q '^See .*svg$\|photograph' "$scratch/shown" || fail "$item has no drawing" ;;
    *) # a command of a program that was run
        grep -Eq '^ +(checked by )?[0-9][0-9]-[a-z0-9.-]+ ' "$scratch/shown" || [ "$item" = hardware ] ||
            fail "$item does not say what ran" ;;
    esac
    case $answer in
    measured*)
        grep -q ' document  *.*[0-9]' "$scratch/shown" || fail "$item has no number of the document"
        grep -Eq '^ .* ours +.*[0-9]' "$scratch/shown" || fail "$item has no number of ours" ;;
    esac
done
# The page that the repository keeps is what the program makes of the kept results; its plots too, where
# this is the gnuplot that made them, but for a coordinate's last digit.
if command -v gnuplot >/dev/null; then
    "$program" --source "$source" --page "$scratch/page" || fail "--page ends with status $?"
    diff "$source/docs/figures.md" "$scratch/page/figures.md" >"$scratch/differences" || {
        fail 'docs/figures.md is stale: ./ladder paper --page docs; it begins to differ here:'
        head -n 8 "$scratch/differences"
    }
    grep -q 'all 52 figures and 6 tables' "$scratch/page/figures.md" || fail 'the page has not all 52 figures and 6 tables'
    # A row: item, what, two numbers, "*in part.* Why", program and command. A photograph was made by no program.
    awk -F ' [|] ' '/^[|] `/ && $1 !~ /`6`/ && !($5 ~ /^[*][a-z ]+[.][*] ./ && $6 ~ /[a-z]/)' "$scratch/page/figures.md" |
        grep . && fail 'rows without an answer, a reason or a command'
    for plot in "$scratch"/page/figures/*.svg; do
        kept=$source/docs/figures/${plot##*/}
        [ "$(grep -m 1 'Produced by' "$plot")" = "$(grep -m 1 'Produced by' "$kept")" ] || continue
        LC_ALL=C awk -f "$source/tests/nearly-equal.awk" "$kept" "$plot" >"$scratch/differences" || {
            fail "$kept is stale: ./ladder paper --page docs; it begins to differ here:"
            cat "$scratch/differences"
        }
    done
fi
[ $failed -ne 0 ] || echo "all $(echo "$li" "$fatahalian" "$study" "$musella" | wc -w) are answered"
exit $failed
