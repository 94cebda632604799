#!/bin/sh
# SPDX-License-Identifier: MIT
# files.sh PROGRAM STRASSEN: --input file:A,B and --output file:C. PROGRAM multiplies with plain loops (01),
# STRASSEN with levels (04). Files with a blank and an umlaut in their names; NaN, Inf, denormals, 1e30;
# damaged files, each with its message and status 2.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
program=$1 strassen=$2
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
. "$root/tests/lib.sh"
mkdir "$stage/files ü" && cd "$stage/files ü" || exit 1
tested=call

# array FILE TYPE ORDER SHAPE BYTES: bytes as printf takes them
array() {
    text=$(printf "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" "$2" "$3" "$4")
    { printf '\223NUMPY\001\000v\000%-117s\n' "$text"; printf "$5"; } >"$1"
}
one='\000\000\200\077' two='\000\000\000\100' three='\000\000\100\100' zero='\000\000\000\000'
nan='\000\000\300\177' inf='\000\000\200\177' tiny='\001\000\000\000' huge='\312\362\111\161' # 1e30
f4() { array "$1" '<f4' False '(2, 2)' "$2"; }

bytes() { od -An -tx1 "$1" | tr -d ' \n'; }

f4 a.npy "$one$two$three$one"
f4 'b ä.npy' "$two$zero$one$three" # C = 4 6, 7 3
answers 0 'A from a.npy, B from b ä.npy' "$program" --variant ikj --input 'file:a.npy,b ä.npy'
answers 0 'right: 1 of 1' "$program" --variant ikj --input 'file:a.npy,b ä.npy' \
    --output 'file:c ö.npy' --reps 1
[ "$(bytes 'c ö.npy' | tail -c 32)" = 000080400000c0400000e04000004040 ] || fail "C is $(bytes 'c ö.npy')"
answers 0 'right: 7 of 7' "$program" --input 'file:c ö.npy,a.npy' --reps 1
answers 0 '"m":2,"n":2,"k":2' "$program" --input 'file:c ö.npy,a.npy' --reps 1 --json
array wide.npy '<f8' False '(2, 1)' '\000\000\000\000\000\000\360\077\000\000\000\000\000\000\000\100'
answers 0 'C .2 x 1. = A .2 x 2. . B .2 x 1.' "$program" --variant ikj --input file:a.npy,wide.npy

f4 nan.npy "$nan$one$one$one"
f4 nans.npy "$nan$nan$nan$nan"
f4 inf.npy "$inf$one$one$one"
f4 tiny.npy "$tiny$tiny$one$tiny"
f4 huge.npy "$huge$one$one$one"
answers 0 '2 of 4 elements not judged' "$program" --variant ikj --input file:nan.npy,a.npy --reps 1
answers 1 'none of the 4 elements can be judged' \
    "$program" --variant ikj --input file:nans.npy,inf.npy --reps 1
answers 0 '2 of 4 elements not judged' "$program" --variant ikj --input file:inf.npy,a.npy --reps 1
answers 0 'right: 7 of 7' "$program" --input file:tiny.npy,a.npy --reps 1
answers 0 'right: 1 of 1' "$program" --variant ikj --input file:huge.npy,a.npy --reps 1
answers 0 '1 of 4 elements not judged' "$program" --variant ikj --input file:huge.npy,huge.npy --reps 1
answers 0 '[234] of 4 elements not judged|none of the' \
    sh -c '"$1" --variant two --levels 1 --input file:nan.npy,a.npy --reps 1; [ $? -le 1 ]' sh "$strassen"
answers 0 'right' "$strassen" --variant two --levels 1 --input file:huge.npy,a.npy --reps 1

printf 'P5 2 2 255' >picture.npy
array type.npy '<i8' False '(2, 2)' "$one$two$one$two$one$two$one$two"
array order.npy '<f4' True '(2, 2)' "$one$two$one$two"
array shape.npy '<f4' False '(4,)' "$one$two$one$two"
array short.npy '<f4' False '(2, 2)' "$one$two$one"
array long.npy '<f4' False '(2, 2)' "$one$two$one$two$one"
array empty.npy '<f4' False '(0, 2)' ''
array three.npy '<f4' False '(3, 1)' "$one$two$one"
head -c 40 a.npy >header.npy
printf '\223NUMPY\007\000v\000' >version.npy
: >nothing.npy
damaged() { answers 2 "$2" "$program" --input "file:a.npy,$1"; }
damaged nosuch.npy '^--input nosuch.npy: No such file or directory'
damaged picture.npy '^--input picture.npy: it is not a .npy file'
damaged nothing.npy 'it is not a .npy file'
damaged header.npy 'it ends in its header'
damaged version.npy 'it has version 7 of the format'
damaged type.npy "its elements are '<i8'"
damaged order.npy 'it is stored by columns'
damaged shape.npy 'its shape is \(4,\); it must be a matrix'
damaged short.npy 'it has 12 bytes of elements, but 2 x 2 elements take 16'
damaged long.npy 'it has 20 bytes of elements, but 2 x 2 elements take 16'
damaged empty.npy 'it is 0 x 2'
damaged three.npy 'A is 2 x 2 and B is 3 x 1; A needs as many columns as B has rows'
damaged . '^--input \.: '
answers 2 '^--input file:A,B takes two .npy files' "$program" --input file:a.npy
answers 2 '^--n 3: b' "$program" --n 3 --input 'file:a.npy,b ä.npy'
answers 2 '^--output takes file:C.npy, and needs exactly one --variant' "$program" --output file:c.npy
answers 2 '^--output takes file:C.npy' "$program" --variant ikj --output c.npy
answers 3 '^--output /dev/full/c.npy: it cannot be written' \
    "$program" --variant ikj --n 8 --reps 0 --output file:/dev/full/c.npy
# A missing folder is reported before anything runs.
answers 3 '^--output no/where/c.npy: it cannot be written: folder no/where: No such file' \
    "$program" --variant ikj --n 8 --reps 0 --output file:no/where/c.npy
! "$program" --variant ikj --n 8 --reps 0 --output file:no/where/c.npy 2>&1 | grep right || fail 'it ran before it looked for the folder'
mkfifo pipe.npy
answers 2 '^--output pipe.npy: it is not a regular file' \
    "$program" --variant ikj --n 8 --reps 0 --output file:pipe.npy
[ -p pipe.npy ] || fail 'a pipe was replaced by a file'
answers 2 '^--output \.: it is not a regular file' "$program" --variant ikj --n 8 --reps 0 --output file:.
answers 2 "^--output file:C.npy needs a file's name, not ''" \
    "$program" --variant ikj --n 8 --reps 0 --output file:
answers 2 '^--input pipe.npy: it is not a regular file' \
    timeout 10 "$program" --variant ikj --input file:pipe.npy,a.npy
[ -z "$(find . -name 'c*.npy.*')" ] || fail 'an unfinished file is left'
end
