#!/bin/sh
# SPDX-License-Identifier: MIT
# edits.sh SCRIPT SOURCE: every edit of a script of sed changes something in a source. Each line is left out once:
# if the result is the same, the source no longer has the text that the line looks for.
set -u
out=$(mktemp) && trap 'rm -f "$out"' EXIT
sed -f "$1" "$2" >"$out" || exit 2
for line in $(grep -nE '^[^#].*[^{]$' "$1" | cut -d : -f 1); do
    if sed "${line}d" "$1" | sed -f - "$2" 2>/dev/null | cmp -s - "$out"; then
        echo "the mistake ${1##*/} of tests/mistakes/mistakes.txt: this edit changes nothing in $2, whose text is another one now:"
        sed -n "${line}p" "$1"
        exit 1
    fi
done
