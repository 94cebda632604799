#!/bin/sh
# SPDX-License-Identifier: MIT
# output.sh FILE|closed-pipe COMMAND...: a program whose standard output cannot be written says so and
# ends with status 3.
output=$1
shift
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
errors=$folder/errors
if [ "$output" = closed-pipe ]; then
    output=$folder/pipe
    mkfifo "$output" || exit 1
    : <"$output" & # its only reader, which is gone before anything is written
    exec 3>"$output"
    wait $!
    "$@" >&3 2>"$errors"
else
    "$@" >"$output" 2>"$errors"
fi
status=$?
if [ $status -ne 3 ]; then
    echo "status $status instead of 3"
    exit 1
fi
grep 'standard output cannot be written' "$errors"
