#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh BUILD: answers that `lab check` accepts unchanged, other mistakes than a wrong answer, and `lab run`.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2154
. "$(dirname -- "$0")/lib.sh"

"$LADDER_BUILD/bin/lab" start $exercise >/dev/null

# ---- Sizes and goals are drawn, and a right answer passes with any
"$LADDER_BUILD/bin/lab" solution 03-eight-products --anyway >"$stage/drawn.c"
for seed in 2 3 5; do gives 0 check 03-eight-products "$stage/drawn.c" --seed $seed; done

# ---- What editors leave in a file is no mistake
{ printf '\357\273\277'; awk '{ printf "%s%s \r", sep, $0; sep = "\n" }' "$solution"; } >"$stage/crlf.c"
gives 0 check $exercise "$stage/crlf.c" --seed 5
sed 's/YOUR CODE.*/& \/\/ printed twice\n#include <stdio.h>\n    printf("m is %ld\\n", p.c.rows), fputs("to stderr\\n", stderr);/' "$solution" >"$stage/prints.c"
answers 0 '^      Your code printed \(shown once\):$' check $exercise "$stage/prints.c" --seed 5
says '^      \| to stderr$'
says '^      \| m is [0-9]+$'

# ---- Words in comments and strings are no mistake either, nor is an unusual way of writing
sed "s/YOUR CODE.*/&\n\/* my first try:\n#include \"mine.h\"\n#define m asm *\/\n#if 0\n    don't\n#endif/" \
    "$solution" >"$stage/comments.c"
gives 0 check $exercise "$stage/comments.c" --seed 5
early="const int many = 1'000'000; if (many < m) { printf(\"%d\\\\n\", m); return; }"
"$LADDER_BUILD/bin/lab" solution 06-first-kernel --anyway |
    sed "0,/YOUR CODE/s/YOUR CODE.*/&\n#include <cmath>\n    $early/" >"$stage/kernel.cu"
gives 0 check 06-first-kernel "$stage/kernel.cu" --seed 5 --no-gpu

# ---- Allowed, too: what a formatter does to the frame, headers of C11, and names that are words in attributes only
clang_format=$(command -v clang-format-14 || command -v clang-format)
[ -n "$clang_format" ] || echo 'not formatted: clang-format is not installed'
formatted() { if [ -n "$clang_format" ]; then "$clang_format" "$@"; else cat; fi; }
sed 's/YOUR CODE.*/&\n#include <stdalign.h>\n#include <signal.h>\n#include <stdatomic.h>\n#pragma STDC FP_CONTRACT OFF\n    int section = 1, alias = 2, constructor __attribute__((unused)) = section + alias;/' \
    "$solution" | formatted --style='{BasedOnStyle: LLVM, IndentWidth: 8, BreakBeforeBraces: Allman}' >"$stage/formatted.c"
gives 0 check $exercise "$stage/formatted.c" --seed 5
sed 's/multiply_yours}/multiply_before}/' "$stage/formatted.c" >"$stage/other-frame.c"
answers 1 'changed outside the marked regions' check $exercise "$stage/other-frame.c" --seed 5

# Here marks are broken into two lines, headers are sorted, and a string is broken.
"$LADDER_BUILD/bin/lab" solution 12-two-updates --anyway |
    formatted --style='{BasedOnStyle: Google, ColumnLimit: 70}' --assume-filename=x.cu >"$stage/formatted.cu"
gives 0 check 12-two-updates "$stage/formatted.cu" --seed 5 --no-gpu

# ---- An unnecessary barrier passes, with a remark
"$LADDER_BUILD/bin/lab" solution 08-two-barriers --anyway >"$stage/tiles.cu"
gives 0 check 08-two-barriers "$stage/tiles.cu" --seed 5 --no-gpu
silent_about 'would do'
sed -i 's/sum += as.*/{ & __syncthreads(); }/' "$stage/tiles.cu"
answers 0 'barriers, of all threads: 995328 +110592 would do' check 08-two-barriers "$stage/tiles.cu" --seed 5 --no-gpu
"$LADDER_BUILD/bin/lab" solution 07-two-by-two --anyway | sed 's/sum11 += .*/{ & __syncthreads(); }/' >"$stage/barrier.cu"
answers 0 'barriers, of all threads: [1-9][0-9]* +0 would do' check 07-two-by-two "$stage/barrier.cu" --seed 5 --no-gpu

# ---- What is wrong comes first, and no line but those of source is longer than 100 columns
sed 's/ += ail/ = ail/' "$solution" >"$stage/set.c"
answers 1 'only the last of k' check $exercise "$stage/set.c" --seed 5
printf '%s\n' "$said" | sed -n '/not yet/{n;p;}' | grep -q 'have only the last' || fail 'the cause is not in the first line'
sed -i 's/__syncthreads(); }/}/; s/__syncthreads();//' "$stage/tiles.cu"
called='lab check on a terminal of 100 columns'
said=$(COLUMNS='' "$LADDER_BUILD/bin/lab" check 08-two-barriers "$stage/tiles.cu" --seed 5 --no-gpu 2>&1)
says 'shared-race'
[ "$(printf '%s\n' "$said" | grep -v ' | ' | awk '{ if (length($0) > most) most = length($0) } END { print most }')" -le 100 ] ||
    fail 'a line is too long'

# ---- A folder that is missing, and a full disk
full "$LADDER_BUILD/bin/lab" check $exercise
full "$LADDER_BUILD/bin/lab" run $exercise
call env TMPDIR=/nosuch "$LADDER_BUILD/bin/lab" check $exercise "$solution"
is 3
call sh -c 'ulimit -f 1; "$@"' sh "$LADDER_BUILD/bin/lab" check $exercise "$solution" # no room in TMPDIR
is 3
says 'the disk is full|cannot write'

# ---- Ctrl-C ends it at once, and its program with it
sed 's/YOUR CODE.*/&\n    for (volatile int loop_of_lab_test = 0;;) loop_of_lab_test = 1;/' \
    "$solution" >"$stage/endless.c"
mkdir "$stage/tmp"
TMPDIR=$stage/tmp "$LADDER_BUILD/bin/lab" check $exercise "$stage/endless.c" >"$stage/said" 2>&1 &
checking=$!
waited=0
while ! grep -q compiles "$stage/said" && [ $waited -lt 30 ]; do
    sleep 1
    waited=$((waited + 1))
done
sleep 1
program=$(find "$stage/tmp" -name program)
kill -INT $checking 2>/dev/null
wait $checking
called='lab check and Ctrl-C' status=$? said=$(cat "$stage/said")
is 130
[ -n "$program" ] || fail 'the program was not found while it ran'
[ -z "$(ls "$stage/tmp")" ] || fail 'temporary files were left'
for command in /proc/[0-9]*/cmdline; do
    ! { tr '\000' ' ' <"$command"; } 2>/dev/null | grep -qF -e "$program" || fail "still running: $command"
done

# ---- run shows the matrices, debug says how
answers 1 'A +B +your C +right$' run $exercise --n 3
says '^9 of 9 elements|of 9 elements are wrong, the first one is C\[0\]\[0\]'
answers 2 "takes a whole number from 1 to 12, not '99'" run $exercise --n 99
answers 2 "takes a whole number from 1 to 12, not '1e1'" run $exercise --n 1e1
sed 's|YOUR CODE.*|&\n    *(volatile int *)4 = 1;|' "$stub" >"$work"
answers 1 'It used the address 0x4' run $exercise --n 3
silent_about 'With the same numbers'
answers 1 '^ *not yet: crashes on m = ' check $exercise
: >"$work"
answers 1 '^ *not yet: the file is empty' check $exercise
cp "$solution" "$work"
answers 0 'All 9 elements are right' run $exercise --n 3 --k 5 --ld-extra 2
call env LADDER_LAB_NO_GDB=1 "$LADDER_BUILD/bin/lab" debug $exercise
is 3
says "^gdb -ex 'break multiply_yours' -ex run --args .*/debug --variant yours"
cp "$stub" "$work"

answers 2 "^lab: no command 'checq', did you mean check; there are: list start check" checq
answers 2 "^lab: no command 'climb'; there are: list" climb

# ---- picture draws a line of a kernel; debug stops there in one thread
answers 2 '^lab: picture wants --line L' picture $exercise
answers 2 'runs on the processor, where no warp' picture $exercise --line 20
answers 2 "^lab: '08' may mean: 08-two-barriers 08-without-conflicts$" picture 08
gives 0 start 08-two-barriers
answers 2 '^lab: picture wants --line L' picture 08
answers 2 'runs on the processor$' debug $exercise --line 20 --thread 9
"$LADDER_BUILD/bin/lab" start 06-first-kernel >/dev/null 2>&1
kernel=$LADDER_LAB/06-first-kernel/exercise.cu
"$LADDER_BUILD/bin/lab" solution 06-first-kernel --anyway >"$kernel"
line=$(grep -n 'sum += a' "$kernel" | cut -d: -f1)
answers 0 "^The picture of exercise.cu:$line is in exercise-$line.svg$" picture 06-first-kernel --line "$line" --block 1,0 --thread 0,8
says '^Yours: 15.12 times the transactions of step 08'
grep -q 'sum += a.*b\[' "$LADDER_LAB/06-first-kernel/exercise-$line.svg" || fail 'the picture has no source line'
answers 2 'no picture: .* in lines .*'"$line" picture 06-first-kernel --line 1
answers 2 "no picture: kernel yours has .*, without thread .16,0,0. of block" picture 06-first-kernel --line "$line" --thread 16,0
answers 2 "^lab: --line takes a line of your file, or FILE:LINE, not 'x'" picture 06-first-kernel --line x
answers 2 '^lab: --thread takes X, X,Y or X,Y,Z, such as 1,0, not .1,x' picture 06-first-kernel --line 20 --thread 1,x
answers 2 '^lab: --block and --thread want a --line' debug 06-first-kernel --block 1
if command -v gdb >/dev/null; then
    input=$(printf 'print threadIdx.x\nprint blockIdx.x\nprint j\nprint sum\nquit\n')
    answers 0 "^Thread .* hit Breakpoint 1, yours" debug 06-first-kernel --line "$line" --block 1,0 --thread 9,0 --n 40
    says '= 25$' # j = 16 + 9
    input=''
fi
answers 2 '^lab: --block takes' debug 06-first-kernel --line "$line" --block ,
rm -rf "$LADDER_LAB/06-first-kernel"

end
