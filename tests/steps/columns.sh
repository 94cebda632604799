#!/bin/sh
# SPDX-License-Identifier: MIT
# columns.sh PROGRAM: help, lists, refusals and results have at most 100 columns, except for lines with the program's own path.
results='--n 8 --untimed'
case $1 in */2[13]-*) results="$results --levels 0" ;; esac # levels take ten seconds there, and their lines are not longer
for options in --help --list '--variant none' '--input none' '--leaf none' '--levels 99' '--nosuch 1' "$results"; do
    # shellcheck disable=SC2086 # words
    long=$("$1" $options 2>&1 </dev/null | grep -vF "$1" | awk 'length > 100')
    [ -z "$long" ] || { printf 'FAILED: %s prints more than 100 columns:\n%s\n' "$options" "$long"; exit 1; }
done
