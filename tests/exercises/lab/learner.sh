#!/bin/sh
# SPDX-License-Identifier: MIT
# learner.sh BUILD: one exercise from its first start to its pass, and its score.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2154
. "$(dirname -- "$0")/lib.sh"

# ---- A message names the bad input and what is accepted
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
says 'seed needs a value'
lab check --json
is 2
says "'--json'; it belongs to score"
lab list --anyway
is 2
says "list: no option '--anyway'; it belongs to solution"
lab hint --seed 3
is 2
says "hint: no option '--seed'; it belongs to check watch score export"
lab solution --fast
is 2
lab list --no-gpu
is 2
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
sed 's/#include "common.step.h"/&\n#include <stdio.h>/' "$solution" >"$stage/header.c" # as the compiler says
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
says '"exercise":"01-row-order","step":1,"state":"passed","checks":5,"hints":3,'
says '"hints":3,"solution_seen_before_pass":true,"passed_at":"20'
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
says '^,08-two-barriers,8,new,0,0,no,,,0,9$'
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

end
