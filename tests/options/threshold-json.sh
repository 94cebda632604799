#!/bin/sh
# SPDX-License-Identifier: MIT
# threshold-json.sh PROGRAM: with --json every line of --find-threshold is an object with a ratio. It would
# take twenty seconds: three lines are enough.
lines=$("$1" --find-threshold --json --leaf ikj | head -n 3)
printf '%s\n' "$lines"
[ "$(printf '%s\n' "$lines" | grep -c '^{"step":"04-cpu-strassen",.*"ratio":[0-9.]*}$')" -eq 3 ]
