#!/bin/sh
# SPDX-License-Identifier: MIT
# gate.sh EXERCISE BUILD [N]: an exercise is sound when its stub compiles and fails, its solution passes
# without a warning, three hints help, each loop's bound is edited in a wrong answer, and every wrong
# answer is rejected for the reason given with it (`expect: REGEX`). A right answer that is
# written in another way (`expect: ^passed$`) passes. read-answers.sh says how the answers are read.
# All answers are made, and every N-th of them, from the first one on, is checked.
#
# The sizes and the first run's numbers are drawn with a fixed seed; GATE_SEED sets another (the quadrant of the
# first wrong element may then be another one, too). The timed run multiplies numbers that nobody can foresee, so
# an exercise must reject a wrong answer whatever they are. GATE_RECORD names a file to which each
# check is added, with its seconds and what it said: docs/results/epyc-2/lab-checks.jsonl was made by it.
# shellcheck source-path=SCRIPTDIR source=read-answers.sh
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
exercise=$1 every=${3:-1}
export LADDER_BUILD="$2" LADDER_LAB_BUILT=yes
export OMP_WAIT_POLICY=passive COLUMNS=1000
folder=${LADDER_EXERCISES:-$root/exercises}/$exercise
work=$(mktemp -d "${TMPDIR:-/tmp}/gate.XXXXXX") || exit 1
export LADDER_LAB="$work/lab"
lab=$LADDER_BUILD/bin/lab
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
problems=0
problem() {
    problems=$((problems + 1))
    printf 'PROBLEM: %s: %s\n' "$exercise" "$*"
}
. "$root/tests/exercises/read-answers.sh"

# check FILE: its status in $status, what it says in $said.
check() {
    began=$(date +%s%N)
    said=$("$lab" check "$exercise" "$1" --seed "${GATE_SEED:-1}" 2>&1)
    status=$?
    ended=$(date +%s%N)
    printf '%s\n\n' "$said"
}
# record NAME REGEX: the last check, and the first line of it that matches.
record() {
    [ -n "${GATE_RECORD-}" ] || return 0
    matching=$(printf '%s\n' "$said" | grep -Em1 -e "$2" | sed "s|$work/wrong/$1|exercise|g; s/^ *//")
    jq -cn --arg exercise "$exercise" --arg answer "$1" --argjson ms $(((ended - began) / 1000000)) \
        --argjson status $status --arg says "$matching" \
        '{exercise: $exercise, answer: $answer, seconds: ($ms / 1000), status: $status, says: $says}' >>"$GATE_RECORD"
}
says() { printf '%s\n' "$said" | grep -Eq -- "$1"; }

for file in README.md check.md; do
    [ -f "$folder/$file" ] || problem "no $file"
done
points=$("$lab" list --points | sed -n "s/^$exercise //p")
tr '\n' ' ' <"$folder/README.md" | grep -qF -e "**Points.** $points." || problem "the README does not say: **Points.** $points."
suffix=c
[ ! -f "$folder/source.cu" ] || suffix=cu
[ "$(part_of "$folder/check.md" Hints | grep -c '^### ')" -eq 3 ] || problem 'not three hints'
stub=$LADDER_LAB/$exercise/exercise.$suffix solution=$work/solution.$suffix
! grep -E '/\* (YOUR CODE|STUB)' "$folder/source.$suffix" | grep -Fqv '*/' ||
    problem 'a mark does not end on its line'
"$lab" start "$exercise" >/dev/null || problem 'no stub can be made of its source'
"$lab" solution "$exercise" --anyway >"$solution" || problem 'no solution can be made of its source'

echo '---- the stub'
check "$stub"
record stub 'not yet'
[ $status -eq 1 ] || problem "the stub ends with status $status, expected 1"
! says 'does not compile' || problem 'the stub does not compile'
! says 'outside the marked regions' || problem 'the stub has no marked regions'

echo '---- the solution'
check "$solution"
record solution '^passed'
[ $status -eq 0 ] || problem "the solution ends with status $status, expected 0"
! says 'warning:' || problem 'the solution compiles with warnings'

# Makes the answer $name, in the file $answer; each name is there once.
make() { # FOLDER
    answer=$1/$name.$suffix
    mkdir -p "$1"
    [ ! -f "$answer" ] || problem "two answers are named $name"
    make_answer "$solution" "$answer"
}

is_next() { [ $(((wrong + right) % every)) -eq $((1 % every)) ] && checked=$((checked + 1)); }

wrong_answer() {
    wrong=$((wrong + 1))
    make "$work/wrong"
    ! has_edits || diff "$solution" "$answer" | sed -n 's/^< //p' >>"$work/edited"
    [ -n "$expected" ] || problem "$name: it says not what to expect"
    is_next || return 0
    echo "---- $name: expect: $expected"
    check "$answer"
    [ $status -eq 1 ] || problem "$name ends with status $status, expected 1"
    ! says 'does not compile' || problem "$name does not compile"
    record "$name" "$expected"
    says "$expected" || problem "$name: no line matches '$expected'"
}

right_answer() {
    right=$((right + 1))
    make "$work/right"
    is_next || return 0
    echo "---- right: $name"
    check "$answer"
    [ $status -eq 0 ] || problem "$name, a right answer, ends with status $status, expected 0"
}

wrong=0 right=0 checked=0
: >"$work/edited"
one_answer() { if [ "$expected" = '^passed$' ]; then right_answer; else wrong_answer; fi; }
part_of "$folder/check.md" Answers >"$work/answers"
each_answer "$work/answers" one_answer
[ $wrong -ge 3 ] || problem "$wrong wrong answers, expected three or more"

# Every loop of the solution is edited in some wrong answer.
sed -n '/YOUR CODE/,/END/p' "$solution" | grep 'for (' >"$work/loops"
while IFS= read -r loop; do
    grep -qxF -e "$loop" "$work/edited" || problem "no wrong answer edits the loop: $loop"
done <"$work/loops"

printf '%s: %s wrong answers, %s other right ones, %s of them checked, %s problems\n' "$exercise" $wrong $right $checked $problems
[ $problems -eq 0 ]
