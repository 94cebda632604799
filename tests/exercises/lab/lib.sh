# SPDX-License-Identifier: MIT
# What the tests of ./ladder lab share. They run it on exercises that compile quickly, with a learner's
# separate folder. Each begins with `. "$(dirname -- "$0")/lib.sh"`, is called with the build folder, and
# ends with `end`.
# shellcheck shell=sh disable=SC2034 # what the tests use
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)
stage=$(mktemp -d "${TMPDIR:-/tmp}/lab test.XXXXXX") || exit 1 # a blank in it, on purpose
trap 'rm -rf "$stage"' EXIT
trap 'exit 1' INT TERM HUP
export LADDER_BUILD="$1" LADDER_LAB_BUILT=yes LADDER_LAB="$stage/lab" OMP_WAIT_POLICY=passive COLUMNS=1000
failures=0 input='' status=-

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
gives() { # STATUS ARGUMENTS...: runs the lab, which must end with this status
    expected=$1
    shift
    lab "$@"
    is "$expected"
}
answers() { # STATUS PATTERN ARGUMENTS...: the same, and a line matches
    pattern=$2
    expected=$1
    shift 2
    gives "$expected" "$@"
    says "$pattern"
}
silent_about() { ! printf '%s\n' "$said" | grep -Eq -- "$1" || fail "should not say: $1"; }

exercise=01-row-order
work=$LADDER_LAB/$exercise/exercise.c
stub=$stage/stub.c solution=$stage/solution.c
LADDER_LAB=$stage/made "$LADDER_BUILD/bin/lab" start $exercise >/dev/null &&
    cp "$stage/made/$exercise/exercise.c" "$stub"
LADDER_LAB=$stage/made "$LADDER_BUILD/bin/lab" solution $exercise --anyway >"$solution"

end() {
    [ "$failures" -eq 0 ] && echo 'all right'
    exit "$failures"
}
