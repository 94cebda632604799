# SPDX-License-Identifier: MIT
# What the tests of ./ladder lab share. They run it on exercises that compile quickly, with a learner's
# separate folder. Each begins with `. "$(dirname -- "$0")/lib.sh"`, is called with the build folder, and
# ends with `end`.
# shellcheck shell=sh disable=SC2034,SC2154 source=../../lib.sh # what the tests use
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)
. "$root/tests/lib.sh"
export LADDER_BUILD="$1" LADDER_LAB_BUILT=yes LADDER_LAB="$stage/lab" OMP_WAIT_POLICY=passive COLUMNS=1000
tested=lab

lab() {
    called="lab $*"
    printf '%s' "$input" >"$stage/in"
    said=$(cd / && "$LADDER_BUILD/bin/lab" "$@" <"$stage/in" 2>&1)
    status=$?
}

exercise=01-row-order
work=$LADDER_LAB/$exercise/exercise.c
stub=$stage/stub.c solution=$stage/solution.c
LADDER_LAB=$stage/made "$LADDER_BUILD/bin/lab" start $exercise >/dev/null &&
    cp "$stage/made/$exercise/exercise.c" "$stub"
LADDER_LAB=$stage/made "$LADDER_BUILD/bin/lab" solution $exercise --anyway >"$solution"
