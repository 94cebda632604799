#!/bin/sh
# SPDX-License-Identifier: MIT
# students.sh BUILD: `lab score --students` grades the folders of a class.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2154
. "$(dirname -- "$0")/lib.sh"

"$LADDER_BUILD/bin/lab" start $exercise >/dev/null
cp "$solution" "$work"
"$LADDER_BUILD/bin/lab" check $exercise --seed 5 >/dev/null
cp "$LADDER_LAB/progress" "$stage/progress"

students=$stage/students
mkdir -p "$students/ada/$exercise" "$students/b\"ob, \\ & <c>/$exercise" "$students/carl"
cp "$solution" "$students/ada/$exercise/exercise.c" # work without a record
cp "$stub" "$students/b\"ob, \\ & <c>/$exercise/exercise.c"
cp "$stage/progress" "$students/carl/progress" # a record without work
answers 0 "^ada,$exercise,1,passed,0,0,no,,,8,8$" score --recheck --students "$students" --csv
says "^\"b\"\"ob, .*\",$exercise,1,started,"
says "^carl,$exercise,1,new,0,0,no,,,0,8$"
gives 0 score --students "$students" --json
if command -v jq >/dev/null; then
    printf '%s\n' "$said" | jq -e '.students | length == 3' >/dev/null || fail 'no JSON of three students'
    printf '%s\n' "$said" | jq -e '.students[1].student == "b\"ob, \\ & <c>"' >/dev/null ||
        fail 'a name is not quoted'
fi
lab score --students "$students" --junit
says '<testsuite name="b&quot;ob, . &amp; &lt;c&gt;"'
answers 1 '2 of 3 students passed fewer than 1' score --recheck --students "$students" --require 1
# On a terminal one line shows the progress; it is not part of the result.
if command -v script >/dev/null; then
    command="'$LADDER_BUILD/bin/lab' score --recheck --students '$students' --csv"
    TERM=xterm script -qec "$command >'$stage/marks.csv'" \
        /dev/null >"$stage/progress-line" 2>&1 </dev/null
    called='lab score on a terminal' said=$(tr '\r' '\n' <"$stage/progress-line")
    says "ada: $exercise ...$"
    ! grep -q '\.\.\.' "$stage/marks.csv" || fail 'the progress went into the result'
fi
# Work handed in with its folder lab/, a folder without any answer, and no student at all.
mkdir -p "$students/dora/lab" "$students/eve/day 1"
mv "$students/ada/$exercise" "$students/dora/lab"
answers 0 "^dora,$exercise,1,passed," score --recheck --students "$students" --csv
says "^lab: eve: no answer found; one would be .*/eve/$exercise/exercise.c$"
silent_about '^lab: dora'
# Where the frame makes the product, doing nothing is worth the point for compiling, and a stub nothing.
frames=24-wrong-coefficient idle=$stage/idle
mkdir -p "$idle/none/$frames" "$idle/one/$frames"
LADDER_LAB=$stage/made "$LADDER_BUILD/bin/lab" start $frames >/dev/null
cp "$stage/made/$frames/exercise.c" "$idle/none/$frames"
sed 's,/. YOUR CODE.*,&\n;,' "$stage/made/$frames/exercise.c" >"$idle/one/$frames/exercise.c"
answers 0 "^none,$frames,24,started,.*,0,9$" score --recheck --students "$idle" --csv
says "^one,$frames,24,started,.*,1,9$"
# A folder, a pipe or a file of 300 kB in place of an answer does not end the grading of the others.
mkdir -p "$students/abel/$exercise/exercise.c" "$students/ben/$exercise" "$students/cleo/$exercise"
mkfifo "$students/ben/$exercise/exercise.c"
dd if=/dev/zero of="$students/cleo/$exercise/exercise.c" bs=1 count=1 seek=300000 2>/dev/null
gives 0 score --recheck --students "$students" --csv
for student in abel ben cleo; do
    says "^$student,$exercise,1,started,0,0,no,,no file that can be read"
done
says "^dora,$exercise,1,passed,"
rm -r "$students/abel" "$students/ben" "$students/cleo"
# A name that is not UTF-8, reverses the direction of writing, or has two lines, must break no format. A relative LADDER_BUILD is the same folder.
strange=$(printf 'x\377\342\200\256\ny')
mkdir -p "$students/$strange/$exercise"
cp "$solution" "$students/$strange/$exercise/exercise.c"
for format in --json --junit --csv; do
    lab score --students "$students" $format
    printf '%s\n' "$said" | iconv -f UTF-8 -t UTF-8 >/dev/null || fail "$format is no UTF-8"
    says 'x\?\?\?\?\?y'
done
called='lab score, a relative LADDER_BUILD'
said=$(cd "$LADDER_BUILD/.." && LADDER_BUILD=$(basename "$LADDER_BUILD") "$LADDER_BUILD/bin/lab" score --recheck --students "$students" --csv 2>&1)
status=$?
is 0
says "^x\?\?\?\?\?y,$exercise,1,passed,"
rm -r "${students:?}/$strange"
# A student whose answers take too long does not keep the class waiting.
mkdir -p "$students/zoe/$exercise" "$students/zoe/02-packed-block"
cp "$stub" "$students/zoe/$exercise/exercise.c"
cp "$stub" "$students/zoe/02-packed-block/exercise.c"
call env LADDER_LAB_STUDENT_SECONDS=0.01 "$LADDER_BUILD/bin/lab" score --recheck --students "$students" --csv
says '^zoe,02-packed-block,.*not checked: the answers before it took all the time'
{ cat "$stub" && yes x | head -n 100000; } >"$students/zoe/$exercise/exercise.c" # nor does it take the lab's memory
call sh -c 'ulimit -v 1000000; exec "$@"' sh "$LADDER_BUILD/bin/lab" check $exercise "$students/zoe/$exercise/exercise.c"
is 1
says 'changed outside the marked regions'
rm -r "$students/zoe"
# Links to somebody else's work are not followed, or are reported; no field begins as a formula does; times in records are valid; headers and libraries next to an answer are not used.
mkdir -p "$students/fay" "$students/gus/$exercise" "$students/hal/$exercise" "$students/=1+1/$exercise"
ln -s "../dora/lab/$exercise" "$students/fay/$exercise"
ln -s "../../dora/lab/$exercise/exercise.c" "$students/gus/$exercise/exercise.c"
ln -s dora "$students/ida"
ln "$students/dora/lab/$exercise/exercise.c" "$students/hal/$exercise/exercise.c"
cp "$solution" "$students/=1+1/$exercise/exercise.c"
printf '=2+5,\033\t%s\tpass\n' $exercise >"$students/=1+1/progress"
for header in stddef.h step.h stdbool.h; do echo '#error it is compiled in' >"$students/=1+1/$exercise/$header"; done
echo "not a library" >"$students/=1+1/libgomp.so.1" # which the answer is linked with
call env CPATH="$students/=1+1/$exercise" LD_LIBRARY_PATH="$students/=1+1" "$LADDER_BUILD/bin/lab" score --recheck --students "$students" --csv
is 0
for student in fay gus ida; do says "^$student,$exercise,1,started,.*a link, which is not followed"; done
says "^'=1\+1,$exercise,1,passed,1,0,no,,,8,8$"
says "^lab: $exercise: dora and hal handed in one and the same file"
silent_about "$(printf '\033')"
rm -r "$students/fay" "$students/gus" "$students/hal" "$students/ida" "$students/=1+1"
# Reports answers that differ in names, macros and i++ for i += 1 only, or compile to the same; and our own solution.
for student in jan kim; do
    mkdir -p "$students/$student/$exercise"
    sed 's/YOUR CODE.*/&\n    for (long q = 0; q < m; q++) { long q2 = q; while (q2 > m) q2 -= 2; switch (q2 * 3) { case 1: q2 = 4; break; default: q2--; } if (q2 < 0 \&\& q > 8) continue; }/' \
        "$solution" >"$students/$student/$exercise/exercise.c"
done
sed -i 's/q2--/other -= 1/; s/q2/other/g; s/for (long q = 0; q < m; q++)/LOOP/; s/YOUR CODE.*/&\n#define LOOP for (long row = 0; row < m; row += 1)/; s/q > 8/row > 8/; s/= q;/= row;/' \
    "$students/kim/$exercise/exercise.c"
mkdir -p "$students/eli/$exercise" "$students/lee/04-two-temporaries"
sed 's/q2--/q3--/; s/q2/other/g' "$students/jan/$exercise/exercise.c" >"$students/eli/$exercise/exercise.c"
lab solution 04-two-temporaries --anyway
printf '%s\n' "$said" | sed 's/T1/first/g' >"$students/lee/04-two-temporaries/exercise.c"
mkdir -p "$students/mia/04-two-temporaries" "$students/noa/04-two-temporaries"
printf '%s\n' "$said" | sed 's/plus(T1, C.q11/plus(C.q11, T1/' >"$students/mia/04-two-temporaries/exercise.c"
sed 's/product(/(product)(/; s/T2/(T2)/g; s/plus(\(.\)\.q/(plus)((\&\1)->q/g; s/ minus(/ (minus)(/' \
    "$students/mia/04-two-temporaries/exercise.c" >"$students/noa/04-two-temporaries/exercise.c"
mkdir -p "$students/leo/$exercise" # repeats itself: to compare it takes long
{ printf '/* YOUR CODE */\n'; yes 'c[0] = 0; c[1] = 0;' | head -n 2000; printf '/* END */\n'; } >"$students/leo/$exercise/exercise.c"
answers 0 "^lab: $exercise: jan and kim compile to the same code" score --recheck --students "$students" --csv
says "^lab: $exercise: leo is too long to be compared"
says "^lab: $exercise: jan and eli are alike|^lab: $exercise: eli and jan are alike"
says '^lab: 04-two-temporaries: lee compiles to the same code as our solution$'
says '^lab: 04-two-temporaries: mia and noa compile to the same code$'
says '^noa,04-two-temporaries,4,passed,'
for student in eli jan kim lee leo mia noa; do rm -r "${students:?}/$student"; done
# A class of 2,100 is read whole.
(mkdir -p "$stage/many" && cd "$stage/many" && seq -f 'student-%04g' 2100 | xargs mkdir)
gives 0 score --students "$stage/many" --csv
[ "$(printf '%s\n' "$said" | grep -c "^student-.*,$exercise,")" -eq 2100 ] || fail 'students are missing'
call env LADDER_LAB="$students/dora" "$LADDER_BUILD/bin/lab" score --recheck # the work is in LADDER_LAB/lab
is 0
says "^lab: .*/dora: no answer found; one would be .*/dora/$exercise/exercise.c$"
mkdir -p "$stage/linked/$exercise" # in a workflow the teacher's copy is next to the student's
ln -s "$root/exercises/$exercise/source.c" "$stage/linked/$exercise/exercise.c"
call env LADDER_LAB="$stage/linked" "$LADDER_BUILD/bin/lab" score --recheck
says "^$exercise +started "
gives 2 score --students /nosuch
answers 2 "there is no folder in .*/eve/day 1" score --students "$students/eve/day 1" --require 1
call env LADDER_LAB="$stage/nowhere" "$LADDER_BUILD/bin/lab" score --recheck
is 2
says "there is no folder $stage/nowhere"
call env LADDER_LAB="$solution/lab" "$LADDER_BUILD/bin/lab" start $exercise # below a file
is 3
says "cannot write into $solution/lab.*: Not a directory"

end
