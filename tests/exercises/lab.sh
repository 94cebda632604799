#!/bin/sh
# lab.sh BUILD: the commands of ./ladder lab, on exercises that compile in no time, with a learner's
# folder of its own.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
stage=$(mktemp -d "${TMPDIR:-/tmp}/lab test.XXXXXX") || exit 1 # a blank in it, on purpose
trap 'rm -rf "$stage"' EXIT
trap 'exit 1' INT TERM HUP
export LADDER_BUILD="$1" LADDER_LAB_BUILT=yes LADDER_LAB="$stage/lab" OMP_WAIT_POLICY=passive
failures=0 input=''

lab() {
    called="lab $*"
    printf '%s' "$input" >"$stage/in"
    said=$(cd / && "$LADDER_BUILD/bin/lab" "$@" <"$stage/in" 2>&1)
    status=$?
}
fail() {
    failures=$((failures + 1))
    printf 'FAILED: %s: %s\n--- status %s:\n%s\n---\n' "$called" "$*" "$status" "$said"
}
is() { [ "$status" -eq "$1" ] || fail "exit status $status, expected $1"; }
says() { printf '%s\n' "$said" | grep -Eq -- "$1" || fail "no line matches: $1"; }
silent_about() { ! printf '%s\n' "$said" | grep -Eq -- "$1" || fail "should not say: $1"; }

exercise=01-row-order
work=$LADDER_LAB/$exercise/exercise.c
stub=$stage/stub.c solution=$stage/solution.c
LADDER_LAB=$stage/made "$LADDER_BUILD/bin/lab" start $exercise >/dev/null && cp "$stage/made/$exercise/exercise.c" "$stub"
LADDER_LAB=$stage/made "$LADDER_BUILD/bin/lab" solution $exercise --anyway >"$solution"

# ---- Bad input names itself and what is taken
lab
is 2
lab climb
is 2
says "no command 'climb'; there are: list start check"
lab start
is 2
says 'which exercise'
lab start 99-nosuch
is 2
says "no exercise '99-nosuch'"
lab start 8
is 2
says "'8' may mean: 08-two-barriers 08-without-conflicts"
lab check
is 2
says 'Nothing is started yet'
lab check $exercise
is 2
says "not started yet: ./ladder lab start $exercise"
lab check $exercise /nosuch
is 2
says 'there is no /nosuch'
lab check $exercise --seed x1
is 2
says "seed takes a whole number from 0 to 999999999, not 'x1'"
lab check $exercise --seed
is 2
says 'seed wants a value'
lab check --json
is 2
says "'--json'; it belongs to score"
lab list --quick
is 2
says "no option '--quick'"
lab score --xml
is 2
lab reset
is 2
says 'reset wants an exercise'
[ ! -e "$LADDER_LAB" ] || fail "a command that was refused wrote into $LADDER_LAB"
lab --help
is 0
says '^usage: '

# ---- start copies the stub, and never overwrites
lab list
is 0
says "^\[ \] $exercise  "
says "Next: ./ladder lab start $exercise"
lab start 1
is 0
cmp -s "$work" "$stub" || fail 'the stub was not copied'
echo '/* mine */' >>"$work"
lab start $exercise
is 0
says 'stays as it is'
grep -q mine "$work" || fail 'start overwrote the work'
cp "$stub" "$work"
lab list
says "^\[\.\] $exercise  "

# ---- check, hint by hint, the solution only when asked twice
lab check # the one started last
is 1
says 'elements wrong; first C\[0\]\[0\]'
says 'With the same numbers again: ./ladder lab check 01-row-order --seed [0-9]+'
says 'A hint: '
for number in 1 2 3 3; do
    lab hint
    is 0
    says "^Hint $number of 3:"
done
says 'That was the last one'
lab solution
is 1
says 'not passed yet'
lab solution --anyway
is 0
says '^const struct step STEP'

# ---- What is outside the marks stays
sed 's/"your triple loop"/"mine"/' "$solution" >"$work"
lab check
is 1
says 'changed outside the marked regions'
sed 's/#include "common.step.h"/&\n#include <stdio.h>/' "$solution" >"$stage/header.c" # where the compiler suggests it
lab check $exercise "$stage/header.c"
is 1
says 'A header may be included below YOUR CODE'
sed 's/YOUR CODE.*/&\n#include "common\/verify.h"/' "$solution" >"$work"
lab check
is 1
says 'an #include inside a marked region'
echo '}' >>"$work"
sed 's/YOUR CODE.*/&\nnonsense/' "$solution" >"$work"
lab check
is 1
says 'it does not compile'
says "exercise.c:[0-9]+:.*nonsense"

# ---- A pass
cp "$solution" "$work"
lab check $exercise --seed 5
is 0
says '^passed$'
says 'Next: ./ladder lab start 02-packed-block'
lab list
says "^\[x\] $exercise  "
says '^1 of [0-9]+ passed'
lab solution
is 0
lab check $exercise "$stub" # another file: nothing is recorded
is 1
silent_about 'A hint'

# ---- score
lab score
is 0
says "^$exercise +passed +5 +3 .*after the solution"
lab score --json --csv
is 2
says 'one format: --json or --csv, not both'
lab score --json
is 0
says '"exercise":"01-row-order","step":1,"state":"passed","checks":5,"hints":3,"solution_seen_before_pass":true,"passed_at":"20'
says '"passed":1,"started":0,"total":[0-9]+}$'
if command -v jq >/dev/null; then
    printf '%s\n' "$said" | jq -e '.total == (.exercises | length)' >/dev/null ||
        fail 'no JSON, or the total is wrong'
fi
lab score --junit
is 0
says '<testcase classname="exercises" name="01-row-order"></testcase>'
says 'name="08-two-barriers"><skipped '
cp "$stub" "$work" # a record of a pass, and a file that does not pass
lab score --recheck --json
is 0
says '"exercise":"01-row-order","step":1,"state":"started","checks":5'
lab score --junit
says 'name="01-row-order"></testcase>' # without --recheck the record counts

# With --recheck the files count, and nothing is recorded
cp "$LADDER_LAB/progress" "$stage/progress"
lab score --recheck --csv
is 0
says "^,$exercise,1,started,[0-9]+,3,yes,,\"?wrong on m = "
says '^,08-two-barriers,8,new,0,0,no,,$'
cmp -s "$LADDER_LAB/progress" "$stage/progress" || fail '--recheck changed the student'"'"'s record'
lab score --recheck --junit
says 'name="01-row-order"><failure message="wrong on m = '
lab score --recheck --require 1
is 1
says '0 exercises are passed, 1 are required'
lab score --require 1
is 0
lab score --require many
is 2

students=$stage/students
mkdir -p "$students/ada/$exercise" "$students/b\"ob, \\ & <c>/$exercise" "$students/carl"
cp "$solution" "$students/ada/$exercise/exercise.c" # work without a record
cp "$stub" "$students/b\"ob, \\ & <c>/$exercise/exercise.c"
cp "$stage/progress" "$students/carl/progress" # a record without work
lab score --recheck --students "$students" --csv
is 0
says "^ada,$exercise,1,passed,0,0,no,,$"
says "^\"b\"\"ob, .*\",$exercise,1,started,"
says "^carl,$exercise,1,new,0,0,no,,$"
lab score --students "$students" --json
is 0
if command -v jq >/dev/null; then
    printf '%s\n' "$said" | jq -e '.students | length == 3' >/dev/null || fail 'no JSON of three students'
    printf '%s\n' "$said" | jq -e '.students[1].student == "b\"ob, \\ & <c>"' >/dev/null || fail 'a name is not quoted'
fi
lab score --students "$students" --junit
says '<testsuite name="b&quot;ob, . &amp; &lt;c&gt;"'
lab score --recheck --students "$students" --require 1
is 1
says '2 of 3 students passed fewer than 1'
# On a terminal one line says where it is, and the result holds nothing of it.
if command -v script >/dev/null; then
    TERM=xterm script -qec "'$LADDER_BUILD/bin/lab' score --recheck --students '$students' --csv >'$stage/marks.csv'" \
        /dev/null >"$stage/progress-line" 2>&1 </dev/null
    called='lab score on a terminal' said=$(tr '\r' '\n' <"$stage/progress-line")
    says "ada: $exercise ...$"
    ! grep -q '\.\.\.' "$stage/marks.csv" || fail 'the progress went into the result'
fi
# Work handed in with its folder lab/, nothing that could be found, and nobody.
mkdir -p "$students/dora/lab" "$students/eve/day 1"
mv "$students/ada/$exercise" "$students/dora/lab"
lab score --recheck --students "$students" --csv
is 0
says "^dora,$exercise,1,passed,"
says "^lab: eve: no answer found; one would be .*/eve/$exercise/exercise.c$"
silent_about '^lab: dora'
# What is no file does not end the grading of the others: a folder, a pipe, 16 MiB and more.
mkdir -p "$students/abel/$exercise/exercise.c" "$students/ben/$exercise" "$students/cleo/$exercise"
mkfifo "$students/ben/$exercise/exercise.c"
dd if=/dev/zero of="$students/cleo/$exercise/exercise.c" bs=1 count=1 seek=17000000 2>/dev/null
lab score --recheck --students "$students" --csv
is 0
for student in abel ben cleo; do
    says "^$student,$exercise,1,started,0,0,no,,no file that can be read"
done
says "^dora,$exercise,1,passed,"
rm -r "$students/abel" "$students/ben" "$students/cleo"
called='lab score --recheck, work in LADDER_LAB/lab'
said=$(LADDER_LAB=$students/dora "$LADDER_BUILD/bin/lab" score --recheck 2>&1)
status=$?
is 0
says "^lab: .*/dora: no answer found; one would be .*/dora/$exercise/exercise.c$"
lab score --students /nosuch
is 2
lab score --students "$students/eve/day 1" --require 1
is 2
says "there is no folder in .*/eve/day 1"
called='lab score --recheck, no LADDER_LAB'
said=$(LADDER_LAB=$stage/nowhere "$LADDER_BUILD/bin/lab" score --recheck 2>&1)
status=$?
is 2
says "there is no folder $stage/nowhere"
called='lab start, below a file'
said=$(LADDER_LAB=$solution/lab "$LADDER_BUILD/bin/lab" start $exercise 2>&1)
status=$?
is 3
says "cannot write into $solution/lab.*: Not a directory"

# ---- What editors leave behind is no mistake
{ printf '\357\273\277'; awk '{ printf "%s%s \r", sep, $0; sep = "\n" }' "$solution"; } >"$stage/crlf.c"
lab check $exercise "$stage/crlf.c" --seed 5
is 0
sed 's/YOUR CODE.*/&\n#include <stdio.h>\n    printf("m is %ld\\n", p->m);/' "$solution" >"$stage/prints.c"
lab check $exercise "$stage/prints.c" --seed 5
is 0
says '^      Your code printed \(shown once\):$'
says '^      \| m is [0-9]+$'

# ---- Nor is what is only said in comments and texts, or an unusual way of writing
sed 's/YOUR CODE.*/&\n\/* my first try:\n#include "mine.h"\n#define m asm *\/\n#if 0\n    don'"'"'t\n#endif/' "$solution" >"$stage/comments.c"
lab check $exercise "$stage/comments.c" --seed 5
is 0
"$LADDER_BUILD/bin/lab" solution 06-first-kernel --anyway |
    sed "0,/YOUR CODE/s/YOUR CODE.*/&\n#include <cmath>\n    const int many = 1'000'000; if (many < m) return;/" >"$stage/kernel.cu"
lab check 06-first-kernel "$stage/kernel.cu" --seed 5 --no-gpu
is 0

# ---- A disk that takes nothing
called='lab check, TMPDIR that is not there' said=$(TMPDIR=/nosuch "$LADDER_BUILD/bin/lab" check $exercise "$solution" 2>&1)
status=$?
is 3
called='lab check, no room in TMPDIR' said=$(ulimit -f 1; "$LADDER_BUILD/bin/lab" check $exercise "$solution" 2>&1)
status=$?
is 3
says 'the disk is full|cannot write'

# ---- Ctrl-C ends it at once, and its program with it
sed 's/YOUR CODE.*/&\n    for (volatile int loop_of_lab_test = 0;;) loop_of_lab_test = 1;/' "$solution" >"$stage/endless.c"
mkdir "$stage/tmp"
TMPDIR=$stage/tmp "$LADDER_BUILD/bin/lab" check $exercise "$stage/endless.c" >"$stage/said" 2>&1 &
checking=$!
waited=0
while ! grep -q compiles "$stage/said" && [ $waited -lt 30 ]; do
    sleep 1
    waited=$((waited + 1))
done
sleep 1
program=$(find "$stage/tmp" -name program)
kill -INT $checking 2>/dev/null
wait $checking
called='lab check and Ctrl-C' status=$? said=$(cat "$stage/said")
is 130
[ -n "$program" ] || fail 'the program was not found while it ran'
[ -z "$(ls "$stage/tmp")" ] || fail 'temporary files were left'
for command in /proc/[0-9]*/cmdline; do
    ! { tr '\000' ' ' <"$command"; } 2>/dev/null | grep -qF -e "$program" || fail "still running: $command"
done

# ---- run shows the matrices, debug says how
lab run $exercise --n 3
is 1
says 'A +B +your C +right$'
says '^9 of 9 elements|of 9 elements are wrong, the first one is C\[0\]\[0\]'
lab run $exercise --n 99
is 2
cp "$solution" "$work"
lab run $exercise --n 3 --k 5 --ld-extra 2
is 0
says 'All 9 elements are right'
called='lab debug' said=$(LADDER_LAB_NO_GDB=1 "$LADDER_BUILD/bin/lab" debug $exercise 2>&1)
status=$?
is 3
says "^gdb -ex 'break multiply_yours' -ex run --args .*/debug --variant yours"
cp "$stub" "$work"

# ---- The fast track: ten exercises, and what comes next is its next
lab list --fast
is 0
says '^\[x\] 01-row-order +10 min'
says '^1 of 10 passed on the fast track, which takes about 120 minutes'
LADDER_LAB=$stage/fast
lab start --fast
is 0
says '01-row-order'
cp "$solution" "$stage/fast/01-row-order/exercise.c"
lab check --seed 5
is 0
says 'Next: ./ladder lab start 02-packed-block'
LADDER_LAB=$stage/lab

# ---- The recorded session (docs/lab-transcript.md) shows what the lab prints today, but for numbers and paths
shape() {
    sed -e '/^Read \|^Edit \|^[0-9a-z-]*: .*exercise\.cu*$/d' -e 's/, rows wider by [0-9]*//' \
        -e 's/[0-9][0-9.]*/N/g' -e 's/  */ /g' -e 's/ $//'
}
recorded=$(shape <"$root/docs/lab-transcript.md")
is_recorded() {
    case $recorded in *"
$(printf '%s\n' "$said" | shape)
"*) ;; *) fail 'docs/lab-transcript.md shows something else: record it again, or write there what is new' ;; esac
}
LADDER_LAB=$stage/recorded
lab list --fast
is_recorded
lab start --fast
is_recorded
lab start 06-a
is_recorded
for file in "$LADDER_LAB"/*/exercise.c*; do
    name=$(basename "$(dirname "$file")")
    LADDER_LAB=$stage/made "$LADDER_BUILD/bin/lab" solution "$name" --anyway >"$file"
    lab check "$name" --seed 5
    is 0
    is_recorded
done
lab start 02-packed-block
lab list --fast
is_recorded
lab score
is_recorded
LADDER_LAB=$stage/lab

# ---- reset asks, and keeps what was written
echo '/* mine */' >>"$work"
lab reset $exercise
is 1
says 'nothing was changed'
grep -q mine "$work" || fail 'reset without an answer changed the work'
input='y
'
lab reset $exercise
is 0
input=''
cmp -s "$work" "$stub" || fail 'reset did not bring the stub back'
grep -q mine "$work.1" || fail 'reset lost the work'
lab reset $exercise --yes
is 0
[ -f "$work.2" ] || fail 'the second reset kept nothing, or overwrote the first'
lab score
says "^$exercise +started +0 +0 "

# ---- watch checks at once and after a save
: >"$stage/watched"
"$LADDER_BUILD/bin/lab" watch $exercise >"$stage/watched" 2>&1 </dev/null &
watcher=$!
waited=0
while [ "$(grep -c '^(waiting' "$stage/watched")" -lt 1 ] && [ $waited -lt 30 ]; do
    sleep 1
    waited=$((waited + 1))
done
cp "$solution" "$work"
while [ "$(grep -c '^(waiting' "$stage/watched")" -lt 2 ] && [ $waited -lt 60 ]; do
    sleep 1
    waited=$((waited + 1))
done
kill $watcher 2>/dev/null
wait $watcher 2>/dev/null
called='lab watch' status=0 said=$(cat "$stage/watched")
says '^not passed$'
says '^passed$'

# Its keys, where there is a terminal to be had
if command -v script >/dev/null; then
    cp "$stub" "$work"
    { sleep 6; printf h; sleep 1; printf l; sleep 1; printf x; sleep 1; printf n; sleep 4; printf q; } |
        TERM=xterm script -qec "$LADDER_BUILD/bin/lab watch $exercise" /dev/null >"$stage/watched" 2>&1
    called='lab watch with keys' status=$? said=$(tr -d '\r' <"$stage/watched")
    is 0
    says 'Progress: \['
    says '^Hint 1 of 3'
    says '^.*\[.\].* 02-packed-block'
    says 'h hint, n next exercise, l list, q quit'
    says 'Edit .*02-packed-block/exercise.c'
fi

# ---- The gate can fail: wrong answers that pass, and edits that no longer apply
export LADDER_EXERCISES="$stage/exercises"
mkdir -p "$LADDER_EXERCISES"
cp -R "$root/exercises/$exercise" "$LADDER_EXERCISES/$exercise"
cat >"$LADDER_EXERCISES/$exercise/wrong-answers.txt" <<'X'
== stale
expect: elements wrong
- nosuch
+ line

== harmless
expect: elements wrong
- real ail =
+ const real ail =

== other-reason
expect: fault: shared-race
- l < p->k
+ l < p->k - 1
X
cat >"$LADDER_EXERCISES/$exercise/right-answers.txt" <<'X'
== not-right
- l < p->k
+ l < p->k - 1

== const
- real ail =
+ const real ail =
X
called="gate.sh"
said=$("$root/tests/exercises/gate.sh" $exercise "$LADDER_BUILD" 2>&1)
status=$?
is 1
says "PROBLEM: .*stale: '- nosuch' changes nothing"
says 'PROBLEM: .*harmless ends with status 0, expected 1'
says "PROBLEM: .*other-reason: no line matches 'fault: shared-race'"
says 'PROBLEM: .*not-right, a right answer, ends with status 1, expected 0'
silent_about 'PROBLEM: .*const'
source=$LADDER_EXERCISES/$exercise/source.c
sed 's/YOUR CODE.*/&\n    \/* STUB: for (long i = 0; i < p->m; i++) for (long j = 0; j < p->n; j++) { c[i * p->ldc + j] = 0; for (long l = 0; l < p->k; l++) c[i * p->ldc + j] += a[i * p->lda + l] * b[l * p->ldb + j]; } *\//' \
    "$source" >"$source.new" && mv "$source.new" "$source"
printf 'draw 3 1..40\n' >"$LADDER_EXERCISES/$exercise/goals" # a stub that needs no work
said=$("$root/tests/exercises/gate.sh" $exercise "$LADDER_BUILD" 2>&1)
says 'PROBLEM: .*the stub ends with status 0, expected 1'
sed 's/ail \* b/ail + b/' "$root/exercises/$exercise/source.c" >"$source"
said=$("$root/tests/exercises/gate.sh" $exercise "$LADDER_BUILD" 2>&1)
says 'PROBLEM: .*the solution ends with status 1, expected 0'

# ---- A goal that cannot be read would check nothing
goals=$LADDER_EXERCISES/$exercise/goals
for goal in 'draw' 'draw 3' 'draw x 1..40' 'draw 3 9..1' 'draw 3 1..4O' 'draw 3 1..40 x' 'square 0..4' 'seconds ten' \
    'precision f16' 'forbid' 'show' 'at-most ms_median' 'frobnicate 3'; do
    printf 'draw 3 1..40\n# a comment\n%s\n' "$goal" >"$goals"
    lab check $exercise "$solution" --seed 5
    is 3
    says "$exercise/goals, line 3: '$goal' is no goal; it may be: "
done
printf 'draw 1 1..4 x 2 --ld-extra 0\nsquare 2 x 8\nseconds 2.5\nopen\nprecision f64\nshow transactions\n' >"$goals"
lab check $exercise "$solution" --seed 5
is 0

[ "$failures" -eq 0 ] && echo 'all right'
exit "$failures"
