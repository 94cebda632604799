#!/bin/sh
# SPDX-License-Identifier: MIT
# gate-fails.sh BUILD: the gate can fail, and so can a goal that cannot be read.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2154
. "$(dirname -- "$0")/lib.sh"

# ---- The gate can fail: wrong answers that pass, and edits that no longer apply
export LADDER_EXERCISES="$stage/exercises"
mkdir -p "$LADDER_EXERCISES"
cp -R "$root/exercises/$exercise" "$LADDER_EXERCISES/$exercise"
check=$LADDER_EXERCISES/$exercise/check.md
sed '/^## Answers/q' "$root/exercises/$exercise/check.md" >"$check"
cat >>"$check" <<'X'
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
- l < k
+ l < k - 1

== not-right
expect: ^passed$
- l < k
+ l < k - 1

== const
expect: ^passed$
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
says 'PROBLEM: .*no wrong answer edits the loop: +for \(long i = 0; i < m; i\+\+\) \{$'
silent_about 'PROBLEM: .*const'
source=$LADDER_EXERCISES/$exercise/source.c
# new_goals GOALS: the exercise has these instead of its own.
new_goals() {
    sed -n '/^## Hints/,$p' "$check" >"$stage/rest"
    printf '## Goals\n\n```text\n%s\n```\n' "$1" | cat - "$stage/rest" >"$check"
}
loops='for (long i = 0; i < p.c.rows; i++) for (long j = 0; j < p.c.cols; j++) { c[i * p.c.ld + j] = 0; '
loops=$loops'for (long l = 0; l < p.a.cols; l++) c[i * p.c.ld + j] += a[i * p.a.ld + l] * b[l * p.b.ld + j]; }'
sed "s|YOUR CODE.*|&\n    /* STUB: $loops */|" "$source" >"$source.new" && mv "$source.new" "$source"
new_goals 'draw 3 1..40' # a stub that needs no work
said=$("$root/tests/exercises/gate.sh" $exercise "$LADDER_BUILD" 2>&1)
says 'PROBLEM: .*the stub ends with status 0, expected 1'
sed 's/ail \* b/ail + b/' "$root/exercises/$exercise/source.c" >"$source"
said=$("$root/tests/exercises/gate.sh" $exercise "$LADDER_BUILD" 2>&1)
says 'PROBLEM: .*the solution ends with status 1, expected 0'

# ---- A goal that cannot be read would check nothing
cp "$root/exercises/$exercise/source.c" "$source"
for goal in 'draw' 'draw 3' 'draw x 1..40' 'draw 3 9..1' 'draw 3 1..4O' 'draw 3 1..40 x' 'square 0..4' \
    'seconds ten' 'precision f16' 'forbid' 'show' 'at-most ms_median' 'frobnicate 3'; do
    new_goals "$(printf 'draw 3 1..40\n# a comment\n%s' "$goal")"
    answers 3 "$exercise, line 3 of its goals: '$goal' is no goal; it may be: " check $exercise "$solution" --seed 5
done
new_goals "$(printf 'draw 1 1..4 x 2 --ld-extra 0\nsquare 2 x 8\nseconds 2.5\nopen\nprecision f64\nshow transactions')"
gives 0 check $exercise "$solution" --seed 5
rm "$check" # as in a folder of an older version
answers 3 "$exercise has no check.md" check $exercise "$solution" --seed 5

end
