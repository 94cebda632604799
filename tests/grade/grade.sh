#!/bin/sh
# SPDX-License-Identifier: MIT
# grade.sh BIN: the kinds that tools/measure/grade.py finds for this computer's programs, and for products that were made to lose small
# numbers although the checker accepts them.
bin=$1 failed=0
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
grade() { "$root/tools/scripts/python" "$root/tools/measure/grade.py" "$bin" "$@"; }
rows=$(grade --json) || exit 1
expect() { # ROWS PATTERN
    printf '%s\n' "$1" | grep -qE "$2" || { printf 'no %s in:\n%s\n' "$2" "$1" && failed=1; }
}
is() { expect "$rows" "\"variant\":\"$1\".*\"kind\":\"$2\".*\"safe\":$3"; }
is 01-ikj conventional true
is 02-packed conventional true
is 03-accumulate conventional true
is 04-seven Strassen-like false
is 05-figure3 Strassen-like false
case $rows in *OpenBLAS*) is OpenBLAS conventional true ;; esac
case $rows in *23-exact*) is 23-exact fixed-point false && is 23-safe conventional true ;; esac
planted() { expect "$(grade planted --variant "$1" --json)" "\"kind\":\"$2\".*\"safe\":$3"; }
planted honest conventional true
planted rows fixed-point false
planted all 'fixed-point, shared' false
grade planted --variant none 2>/dev/null && failed=1
exit $failed
