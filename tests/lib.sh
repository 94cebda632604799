# SPDX-License-Identifier: MIT
# What tests of commands share: a folder $stage for the test's files, and what is said of a command. A test sets $tested to the
# function that calls the command; the function sets $called, $status, and $said, or $out and $err.
# shellcheck shell=sh disable=SC2034,SC2154 # what the tests use and set
set -u
stage=$(mktemp -d "${TMPDIR:-/tmp}/ladder test.XXXXXX") || exit 1 # a blank in it, on purpose
trap 'rm -rf "$stage"' EXIT
trap 'exit 1' INT TERM HUP
failures=0 input='' status=- called='' said='' out='' err=''

call() { # COMMAND...
    called=$*
    said=$("$@" 2>&1)
    status=$?
}
everything() { printf '%s\n%s\n%s\n' "$said" "$out" "$err"; }
fail() {
    failures=$((failures + 1))
    printf 'FAILED: %s: %s\n--- status %s:\n%s\n---\n' "$called" "$*" "$status" "$(everything)"
}
is() { [ "$status" -eq "$1" ] || fail "exit status $status, expected $1"; }
says() { # PATTERN: some line of either stream matches, also one that is broken
    { everything && printf '%s\n' "$err" | sed -f "$root/tests/join.sed"; } | grep -Eq -- "$1" || fail "no line matches: $1"
}
silent_about() { ! everything | grep -Eq -- "$1" || fail "should not say: $1"; }
gives() { # STATUS ARGUMENTS...: the command must end with this status
    expected=$1
    shift
    $tested "$@"
    is "$expected"
}
answers() { # STATUS PATTERN ARGUMENTS...: the same, and a line matches
    pattern=$2
    expected=$1
    shift 2
    gives "$expected" "$@"
    says "$pattern"
}
full() { # COMMAND...: with a full disk it says that its output cannot be written
    called="$* >/dev/full"
    "$root/tests/options/output.sh" /dev/full "$@" >/dev/null || fail 'another status than 3, or no message'
}
end() {
    [ "$failures" -eq 0 ] && echo 'all right'
    exit $((failures > 0))
}
