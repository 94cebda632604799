#!/bin/sh
# picture.sh PICTURE PROGRAM [WHAT]: the picture is what the program draws today.
picture=$1
shift
drawn=$(mktemp) || exit 1
trap 'rm -f "$drawn"' EXIT
"$@" >"$drawn" || exit 1
cmp -s "$drawn" "$picture" || {
    echo "$picture is stale: run tools/draw-pictures and look at it"
    diff "$picture" "$drawn" | head -n 8
    exit 1
}
