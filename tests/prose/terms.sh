#!/bin/sh
# SPDX-License-Identifier: MIT
# terms.sh PAGE PROGRAM GLOSSARY FILE...: the page's table is what the program prints. To bring it up to date,
# replace the table by what the program prints.
page=$1
shift
table=$(mktemp) || exit 1
trap 'rm -f "$table"' EXIT
"$@" >"$table" || exit 1
grep '^|' "$page" | cmp -s - "$table" || {
    echo "$page is stale: its table should be what this prints: $*"
    grep '^|' "$page" | diff - "$table" | head -n 8
    exit 1
}
