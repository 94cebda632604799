#!/bin/sh
# SPDX-License-Identifier: MIT
# counts.sh PROGRAM OPTIONS: passes when every variant that has a model moved exactly what the model
# says, and at least one has a model.
program=$1
shift
output=$("$program" --count "$@" 2>&1 </dev/null) || { printf '%s\n' "$output"; exit 1; }
printf '%s\n' "$output"
modelled=$(printf '%s\n' "$output" | grep -c ' model ')
equal=$(printf '%s\n' "$output" | grep -c '(equal)')
echo "$equal of $modelled modelled variants are equal"
[ "$modelled" -gt 0 ] && [ "$equal" -eq "$modelled" ]
