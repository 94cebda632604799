#!/bin/sh
# SPDX-License-Identifier: MIT
# learner.sh BUILD: one exercise from its first start to its pass, and its score.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2154
. "$(dirname -- "$0")/lib.sh"

# ---- A message names the bad input and what is accepted
lab
is 2
answers 2 "no command 'climb'; there are: list start check" climb
answers 2 'which exercise' start
answers 2 "no exercise '99-nosuch'" start 99-nosuch
answers 2 "'8' may mean: 08-two-barriers 08-without-conflicts" start 8
answers 2 'Nothing is started yet' check
answers 2 "not started yet: ./ladder lab start $exercise" check $exercise
answers 2 'there is no /nosuch' check $exercise /nosuch
answers 2 "seed takes a whole number from 0 to 999999999, not 'x1'" check $exercise --seed x1
answers 2 'seed needs a value' check $exercise --seed
answers 2 "'--json'; it belongs to score" check --json
answers 2 "list: no option '--anyway'; it belongs to solution" list --anyway
answers 2 "hint: no option '--seed'; it belongs to check score export" hint --seed 3
gives 2 solution --fast
gives 2 list --no-gpu
answers 2 "no option '--quick'" list --quick
gives 2 score --xml
answers 2 'reset wants an exercise' reset
[ ! -e "$LADDER_LAB" ] || fail "a command that was refused wrote into $LADDER_LAB"
answers 0 '^usage: ' --help

# ---- start copies the stub, and never overwrites
answers 0 "^\[ \] $exercise  " list
says "Next: ./ladder lab start $exercise"
gives 0 start 1
cmp -s "$work" "$stub" || fail 'the stub was not copied'
echo '/* mine */' >>"$work"
answers 0 'stays as it is' start $exercise
grep -q mine "$work" || fail 'start overwrote the work'
cp "$stub" "$work"
lab list
says "^\[\.\] $exercise  "

# ---- check, hint by hint, the solution only when asked twice
answers 1 'elements wrong; first C\[0\]\[0\]' check # the one started last
says 'With the same numbers again: ./ladder lab check 01-row-order --seed [0-9]+'
says 'A hint: '
for number in 1 2 3 3; do
    answers 0 "^Hint $number of 3:" hint
done
says 'That was the last one'
answers 1 'not passed yet' solution
answers 0 '^const struct step STEP' solution --anyway

# ---- What is outside the marks stays
sed 's/"your triple loop"/"mine"/' "$solution" >"$work"
answers 1 'changed outside the marked regions' check
sed 's/#include "common.step.h"/&\n#include <stdio.h>/' "$solution" >"$stage/header.c" # as the compiler says
answers 1 'A header may be included below YOUR CODE' check $exercise "$stage/header.c"
sed 's/YOUR CODE.*/&\n#include "common\/verify.h"/' "$solution" >"$work"
answers 1 'an #include inside a marked region' check
echo '}' >>"$work"
sed 's/YOUR CODE.*/&\nnonsense/' "$solution" >"$work"
answers 1 'it does not compile' check
says "exercise.c:[0-9]+:.*nonsense"

# ---- A pass
cp "$solution" "$work"
answers 0 '^passed$' check $exercise --seed 5
says 'Next: ./ladder lab start 02-packed-block'
lab list
says "^\[x\] $exercise  "
says '^1 of [0-9]+ passed'
gives 0 solution
gives 1 check $exercise "$stub" # another file: nothing is recorded
silent_about 'A hint'

# ---- score
answers 0 "^$exercise +passed +5 +3 .*after the solution" score
answers 2 'one format: --json or --csv, not both' score --json --csv
answers 0 '"exercise":"01-row-order","step":1,"state":"passed","checks":5,"hints":3,' score --json
says '"hints":3,"solution_seen_before_pass":true,"passed_at":"20'
says '"passed":1,"started":0,"total":[0-9]+}$'
if command -v jq >/dev/null; then
    printf '%s\n' "$said" | jq -e '.total == (.exercises | length)' >/dev/null ||
        fail 'no JSON, or the total is wrong'
fi
answers 0 '<testcase classname="exercises" name="01-row-order"></testcase>' score --junit
says 'name="08-two-barriers"><skipped '
cp "$stub" "$work" # a record of a pass, and a file that does not pass
answers 0 '"exercise":"01-row-order","step":1,"state":"started","checks":5' score --recheck --json
lab score --junit
says 'name="01-row-order"></testcase>' # without --recheck the record counts

# With --recheck the files count, and nothing is recorded
cp "$LADDER_LAB/progress" "$stage/progress"
answers 0 "^,$exercise,1,started,[0-9]+,3,yes,,\"?wrong on m = " score --recheck --csv
says '^,08-two-barriers,8,new,0,0,no,,,0,9$'
cmp -s "$LADDER_LAB/progress" "$stage/progress" || fail '--recheck changed the student'"'"'s record'
lab score --recheck --junit
says 'name="01-row-order"><failure message="wrong on m = '
answers 1 '0 exercises are passed, 1 are required' score --recheck --require 1
gives 0 score --require 1
gives 2 score --require many

end
