#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/slower.sh SOURCE: tools/measure/slower with a program that prints given rows, and rows of another size
# and another card among those that are stored.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
row() { # DEVICE N RATIO
    printf '{"step":"21-x","variant":"fp16","device":"%s","m":%d,"n":%d,"k":%d,"levels":0,"data":0,"ratio":%s,"more":1}\n' \
        "$1" "$2" "$2" "$2" "$3"
}
cat >"$work/21-x" <<'END'
#!/bin/sh
while [ "$1" != --n ]; do shift; done
sed -n "/\"n\":$2,/p" "$(dirname "$0")/now"
END
chmod +x "$work/21-x"
{ row card 2048 2.0; row card 4096 3.9; row card 4096 4.0; row other 4096 9.0; } >"$work/stored"
failed=0
source=$1
try() { # STATUS PATTERN SIZES
    status=0
    BIN="$work" SIZES=$3 "$source/tools/measure/slower" 21-x "$work/stored" >"$work/said" 2>&1 || status=$?
    [ "$status" = "$1" ] && grep -q "$2" "$work/said" && return
    echo "expected status $1 and '$2', got $status and:" && cat "$work/said"
    failed=1
}
{ row card 2048 1.97; row card 4096 3.95; } >"$work/now"
try 0 '^2 rungs compared' ''
{ row card 2048 1.97; row card 4096 3.91; } >"$work/now"
try 1 '^slower by 2.3 %: fp16 0 4096 4096 4096' ''
try 0 '^1 rungs compared' 2048
try 3 'no row of this card' 77
exit $failed
