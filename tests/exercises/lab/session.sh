#!/bin/sh
# SPDX-License-Identifier: MIT
# session.sh BUILD: the fast track, the recorded session and `lab reset`.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2154
. "$(dirname -- "$0")/lib.sh"

"$LADDER_BUILD/bin/lab" start $exercise >/dev/null
"$LADDER_BUILD/bin/lab" solution $exercise --anyway >"$work"
"$LADDER_BUILD/bin/lab" check $exercise --seed 5 >/dev/null

# ---- The fast track has ten exercises, and the next exercise is the next one of the track
answers 0 '^\[x\] 01-row-order +15 min' list --fast
says '^1 of 10 passed on the fast track, which takes about 205 minutes'
LADDER_LAB=$stage/fast
answers 0 '01-row-order' start --fast
answers 0 '^To go on to the next one: ./ladder lab start 02-packed-block$' start --fast
cp "$solution" "$stage/fast/01-row-order/exercise.c"
answers 0 'Next: ./ladder lab start 02-packed-block' check --seed 5
LADDER_LAB=$stage/lab

# ---- docs/lab-transcript.md, a recorded session, shows what the lab prints today, but for numbers and paths
shape() {
    sed -e '/^Read \|^Edit \|^[0-9a-z-]*: .*exercise\.cu*$/d' -e 's/, rows wider by [0-9]*//' \
        -e 's/[0-9][0-9.]*/N/g' -e 's/  */ /g' -e 's/ $//'
}
recorded=$(shape <"$root/docs/lab-transcript.md")
is_recorded() {
    case $recorded in *"
$(printf '%s\n' "$said" | shape)
"*) ;; *) fail 'docs/lab-transcript.md shows something else: record it again, or add what is new' ;; esac
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
    gives 0 check "$name" --seed 5
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
answers 1 'nothing was changed' reset $exercise
grep -q mine "$work" || fail 'reset without an answer changed the work'
input='y
'
gives 0 reset $exercise
input=''
cmp -s "$work" "$stub" || fail 'reset did not bring the stub back'
grep -q mine "$work.1" || fail 'reset lost the work'
gives 0 reset $exercise --yes
[ -f "$work.2" ] || fail 'the second reset kept nothing, or overwrote the first'
lab score
says "^$exercise +started +0 +0 "

end
