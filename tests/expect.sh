#!/bin/sh
# SPDX-License-Identifier: MIT
# expect.sh STATUS PATTERN COMMAND...: runs the command and passes when it ends with STATUS and its
# output (both streams) has a line that matches the extended regular expression PATTERN.
status=$1 pattern=$2
shift 2
output=$("$@" 2>&1 </dev/null)
got=$?
printf '%s\n' "$output"
if [ "$got" -ne "$status" ]; then
    echo "FAILED: exit status $got, expected $status: $*"
    exit 1
fi
if ! printf '%s\n' "$output" | grep -Eq -- "$pattern"; then
    echo "FAILED: no line matches '$pattern': $*"
    exit 1
fi
