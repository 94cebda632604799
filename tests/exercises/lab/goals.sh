#!/bin/sh
# SPDX-License-Identifier: MIT
# goals.sh BUILD: a goal that cannot be read is refused; it would check nothing.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2154
. "$(dirname -- "$0")/lib.sh"

export LADDER_EXERCISES="$stage/exercises"
mkdir -p "$LADDER_EXERCISES"
cp -R "$root/exercises/$exercise" "$LADDER_EXERCISES/$exercise"
check=$LADDER_EXERCISES/$exercise/check.md
# new_goals GOALS: replaces the goals of the exercise.
new_goals() {
    sed -n '/^## Hints/,$p' "$check" >"$stage/rest"
    printf '## Goals\n\n```text\n%s\n```\n' "$1" | cat - "$stage/rest" >"$check"
}
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
