#!/bin/sh
# SPDX-License-Identifier: MIT
# cases.sh FILE [NAME]: runs the cases of a test, or the one of this name. FILE has a line `run NAME COMMAND...` for each, see
# ladder_case() in cmake/tests.cmake. Names those that fail, with what they print. Skipped only if all are.
file=$1 only=${2-}
ran=0 skipped=0 failed=''
run() {
    name=$1
    shift
    [ "${only:-$name}" = "$name" ] || return 0
    ran=$((ran + 1))
    output=$("$@" 2>&1 </dev/null)
    status=$?
    case $status in
    0) return 0 ;;
    77) skipped=$((skipped + 1)) ;;
    *) failed="$failed $name" ;;
    esac
    printf -- '---- %s: status %s\n%s\n' "$name" "$status" "$output"
}
# shellcheck source=/dev/null
. "$file"
echo "$ran cases, $skipped skipped, failed:${failed:- none}"
[ -z "$failed" ] && [ "$ran" -gt 0 ] || exit 1
[ "$skipped" -lt "$ran" ] || exit 77
