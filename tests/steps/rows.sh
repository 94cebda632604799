#!/bin/sh
# SPDX-License-Identifier: MIT
# rows.sh COUNT PROGRAM OPTIONS: the program prints exactly COUNT lines and ends with exit status 0.
count=$1
shift
output=$("$@" </dev/null) || { echo "FAILED: exit status $?: $*"; exit 1; }
printf '%s\n' "$output"
lines=$(printf '%s\n' "$output" | wc -l)
[ "$lines" -eq "$count" ] || { echo "FAILED: $lines lines, expected $count: $*"; exit 1; }
