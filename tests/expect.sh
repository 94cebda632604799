#!/bin/sh
# SPDX-License-Identifier: MIT
# expect.sh STATUS PATTERN COMMAND...: runs the command and passes when it ends with STATUS and its
# output (both streams) has a line that matches the extended regular expression PATTERN. A line may
# also be one that say() has broken: see join.sed.
status=$1 pattern=$2
shift 2
output=$("$@" 2>&1 </dev/null)
got=$?
printf '%s\n' "$output"
if [ "$got" -ne "$status" ]; then
    echo "FAILED: exit status $got, expected $status: $*"
    exit 1
fi
joined=$(printf '%s\n' "$output" | sed -f "$(dirname "$0")/join.sed")
if ! printf '%s\n' "$output" "$joined" | grep -Eq -- "$pattern"; then
    echo "FAILED: no line matches '$pattern': $*"
    exit 1
fi
