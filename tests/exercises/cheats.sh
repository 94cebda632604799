#!/bin/sh
# SPDX-License-Identifier: MIT
# cheats.sh BUILD FILE [N]: each cheat of FILE.cheats, and each mistake of mistakes/FILE.txt, is rejected, and for
# its own reason; with N, each N-th of them. read-answers.sh says how the file is read; a cheat's edits work outside the marks, too,
# and the line @MULTIPLY@ in a region is replaced by a right product, on the processor. About a mistake the check says only what is proven to be its cause.
# shellcheck source-path=SCRIPTDIR source=read-answers.sh
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
export LADDER_BUILD="$1" LADDER_LAB_BUILT=yes OMP_WAIT_POLICY=passive COLUMNS=1000
work=$(mktemp -d "${TMPDIR:-/tmp}/cheats.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
export LADDER_LAB="$work/lab"
lab=$LADDER_BUILD/bin/lab
cheats=0 checked=0 problems=0 everywhere=everywhere
case $2 in *.txt) everywhere='' ;; esac
guesses='[Uu]sually|[Pp]erhaps|[Pp]robably|too few blocks|[Dd]oes every|is missing or|could be joined|\?$'
problem() {
    problems=$((problems + 1))
    printf 'PROBLEM: %s\n' "$*"
}
. "$root/tests/exercises/read-answers.sh"
cat >"$work/multiply" <<'X'
for (long i_ = 0; i_ < m; i_++)
    for (long j_ = 0; j_ < n; j_++) {
        c[i_ * p.c.ld + j_] = 0;
        for (long l_ = 0; l_ < k; l_++)
            c[i_ * p.c.ld + j_] += a[i_ * p.a.ld + l_] * b[l_ * p.b.ld + j_];
    }
X

cheat() {
    cheats=$((cheats + 1))
    [ $((cheats % every)) -eq 0 ] || return 0
    checked=$((checked + 1))
    suffix=c
    [ ! -f "$root/exercises/$where/source.cu" ] || suffix=cu
    solution=$work/$where.$suffix cheat=$work/cheat.$suffix
    [ -f "$solution" ] || "$lab" solution "$where" --anyway >"$solution" || exit 1
    sed -e "/@MULTIPLY@/{r $work/multiply" -e 'd;}' "$work/body" >"$work/full"
    mv "$work/full" "$work/body"
    make_answer "$solution" "$cheat" $everywhere
    if grep -q '@ZERO@' "$cheat"; then
        tr '@' '\000' <"$cheat" >"$work/zero" && mv "$work/zero" "$cheat"
    fi
    said=$(LADDER_LAB_SECONDS=$seconds "$lab" check "$where" "$cheat" --seed 1 --no-gpu 2>&1)
    status=$?
    if [ $status -ne 1 ] || ! printf '%s\n' "$said" | grep -Eq -- "$expected"; then
        problem "$name: status $status, expected 1 and: $expected"
        printf '%s\n\n' "$said"
    fi
    if [ -z "$everywhere" ] && printf '%s\n' "$said" | grep -v 'did you mean' | grep -E -- "$guesses"; then
        problem "$name: this is a guess"
    fi
}

every=${3:-1}
each_answer "$2" cheat
echo "$cheats cheats, $checked of them checked, $problems problems"
[ $cheats -gt 10 ] && [ $problems -eq 0 ]
