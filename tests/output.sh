#!/bin/sh
# output.sh FILE|closed-pipe COMMAND...: a program whose standard output cannot be written says so and
# ends with status 3.
output=$1
shift
errors=$(mktemp)
status=$(mktemp)
trap 'rm -f "$errors" "$status"' EXIT
if [ "$output" = closed-pipe ]; then
    { sleep 1; "$@" 2>"$errors"; echo $? >"$status"; } | :
else
    "$@" >"$output" 2>"$errors"
    echo $? >"$status"
fi
if [ "$(cat "$status")" != 3 ]; then
    echo "status $(cat "$status") instead of 3"
    exit 1
fi
grep 'standard output cannot be written' "$errors"
