#!/bin/sh
# SPDX-License-Identifier: MIT
# says-first.sh PATTERN PROGRAM OPTIONS: a program whose work takes minutes writes a line that matches while it is
# still at work, into a pipe, too. The test then ends the program.
pattern=$1
shift
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
mkfifo "$folder/pipe" || exit 1
"$@" >"$folder/pipe" 2>&1 </dev/null &
grep -m 1 -E -- "$pattern" "$folder/pipe" || echo "FAILED: no line matches '$pattern'"
kill -KILL $! 2>/dev/null
wait $!
status=$?
[ $status -eq 137 ] || { echo "FAILED: it had ended, with status $status, before the line was read" && exit 1; }
