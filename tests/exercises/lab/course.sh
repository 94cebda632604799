#!/bin/sh
# SPDX-License-Identifier: MIT
# course.sh BUILD: a course from its beginning to its marks. Exercises are handed out with a class's seed, and no
# answer is in them; three students hand in what is right, half right, and copied; each format holds
# their points, and has the fields that docs/classroom/formats.md lists; the copy is reported.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2154
. "$(dirname -- "$0")/lib.sh"

# ---- no answer is handed out ----

# given_away FOLDER: the exercises in EXERCISES whose answers a file there holds, by similarity-tester.
mkdir "$stage/answers"
answer_of() {
    LADDER_LAB=$stage/made "$LADDER_BUILD/bin/lab" solution "$1" --anyway >"$stage/whole"
    sed -n '/YOUR CODE/,/END \*\//p' "$stage/whole" | grep -vE 'YOUR CODE|END \*/' >"$stage/answers/$1.c"
}
given_away() {
    find "$1" -type f \( -name '*.md' -o -name '*.c' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' -o -name '*.cpp' \) |
        sort >"$stage/files"
    # shellcheck disable=SC2046 # no blank is in these names
    (cd "$stage/answers" && sim_c -p -S -r 16 -t 80 $(sed 's/$/.c/' "$stage/exercises") / $(cat "$stage/files")) |
        grep consists | grep -vE '^(.*)\.c consists .*/exercises/\1/source' # its own frame, which it goes on
}
hand=$(mktemp -d "${TMPDIR:-/tmp}/handout.XXXXXX") # without a blank: sim_c has no way to name one
trap 'rm -rf "$stage" "$hand"' EXIT
if command -v sim_c >/dev/null; then
    gives 0 export "$hand/all"
    says '^lab: 08-two-barriers is left out: exercises/blocks.cuh, which an exercise here includes, holds its answer'
    all=$(find "$root/exercises" -name 'source.*' | wc -l)
    alone=$(printf '%s\n' "$said" | sed -n 's/^lab: \([^ ]*\) is left out.*/\1/p')
    says "^$((all - $(echo "$alone" | wc -w))) exercises, "
    (cd "$hand/all/exercises" && printf '%s\n' */source.* | sed 's,/.*,,') >"$stage/exercises"
    while read -r name; do answer_of "$name"; done <"$stage/exercises"
    called='no answer in an export'
    said=$(given_away "$hand/all")
    [ -z "$said" ] || fail 'an answer was handed out'
    for name in $alone; do
        gives 0 export "$hand/$name" "$name"
        echo "$name" >"$stage/exercises"
        answer_of "$name"
        called="no answer in the export of $name"
        said=$(given_away "$hand/$name")
        [ -z "$said" ] || fail 'an answer was handed out'
    done
    echo 08-two-barriers >"$stage/exercises"
    called='the answer is found where it is'
    cp "$root/exercises/08-two-barriers/source.cu" "$hand/all/common/answer.cu"
    said=$(given_away "$hand/all")
    says '08-two-barriers.c consists for 100 %'
fi
answers 0 '^2 exercises, ' export "$hand/class" 01-row-order 08-two-barriers --seed 2
answers 2 'is there already' export "$hand/class" 01-row-order
called='what is handed out' said=$(cd "$hand/class" && find . -type f)
says '^./ladder$'
says '^./exercises/08-two-barriers/source.cu$'
says '^./steps/08-gpu-shared/README.md$'
says '^./steps/08-gpu-shared/08-tiles.svg$'
silent_about 'answers'
silent_about 'steps/.*\.(c|cu|cuh|h)$'
call "$hand/class/ladder" --help
is 0
says '^  lab COMMAND'
silent_about '^  run STEP'
call "$hand/class/ladder" explain race
is 0
silent_about 'cannot open|No such file'
call "$hand/class/ladder" climb
is 2
says "no command 'climb'; there are: lab explain sim"
called='the chapter' said=$(cat "$hand/class/steps/08-gpu-shared/README.md")
says 'left out: exercise 08-two-barriers asks for it'
silent_about 'bs\[.*=.*\?'
called='the hints' said=$(cat "$hand/class/exercises/08-two-barriers/check.md")
says '^### 2'
silent_about '^### 3|^== '

# ---- three students ----

export LADDER_EXERCISES="$hand/class/exercises"
gives 0 start 08-two-barriers
answers 2 'your teacher has the solutions' solution 08-two-barriers --anyway
students=$stage/students
mkdir -p "$students/ada/08-two-barriers" "$students/bob/08-two-barriers" "$students/carl/08-two-barriers"
teacher() { env -u LADDER_EXERCISES LADDER_LAB="$stage/made" "$LADDER_BUILD/bin/lab" "$@"; }
# Class 2 has tiles of 32 x 32 threads.
teacher solution 08-two-barriers --anyway --class 2 >"$stage/08.cu"
# The answers' edits fit class 1 only; one that has no edits is made.
python3 "$root/tests/exercises/answers.py" make "$root/exercises/08-two-barriers/check.md" "$stage/08.cu" "$stage/answers" >/dev/null
sed 's/\<16\>/32/g; s/\<15\>/31/g' "$stage/answers/fetched-by-number.made" >"$students/ada/08-two-barriers/exercise.cu"
sed 's/ && first + x < k ?/ \&\& first + 32 <= k ?/' "$stage/08.cu" >"$students/bob/08-two-barriers/exercise.cu"
sed 's/\<from\>/top/g; s/\<to\>/left/g; s/\<part\>/more/g' "$students/ada/08-two-barriers/exercise.cu" \
    >"$students/carl/08-two-barriers/exercise.cu"

call teacher score --recheck --students "$students" --class 2 --csv
is 0
says '^ada,08-two-barriers,8,passed,.*,9,9$'
says '^bob,08-two-barriers,8,started,.*,5,9$'
says '^carl,08-two-barriers,8,passed,.*,9,9$'
says '^ada,01-row-order,1,new,.*,0,8$'
says '^lab: 08-two-barriers: ada and carl compile to the same code$'
silent_about 'bob (and|are)|and bob'
# In the folder that was handed out, only its exercises count.
export LADDER_LAB="$students/bob"
lab score --recheck
says '^08-two-barriers +started +0 +0 +5/9$'
says '^    right on squares +3/3$'
says '^    right on all shapes +0/2$'
lab score --recheck --junit
says '<testcase classname="exercises" name="08-two-barriers"><failure message="wrong on '

# fields NAME FILE: each field of a table of docs/classroom/formats.md is in this JSON, with its type.
fields() {
    sed -n "/^| $1 |/,/^\$/s/^| \`\([^\`]*\)\` | \([a-z]*\) | *\(.*\) |\$/\1 \2 \3/p" "$root/docs/classroom/formats.md" |
        while read -r field type _; do
            path=$(printf '%s' "$field" | sed 's/\[\]\./[]|./; s/\.\([a-z_]*-[a-z]*\)$/."\1"/; s/^\([a-z]*-[a-z]*\)$/"\1"/')
            case $field in *.output) filter="[.$path | values | type] | unique | . == [\"$type\"]" ;;
            *) filter="[.$path | type] | unique | . == [\"$type\"]" ;; esac
            jq -e "$filter" "$2" >/dev/null || echo "$field is no $type"
        done
}
if command -v jq >/dev/null; then
    autograder=$stage/autograder
    mkdir -p "$autograder/source" "$autograder/submission"
    cp "$LADDER_LAB/08-two-barriers/exercise.cu" "$autograder/submission/08-two-barriers.cu"
    call teacher export "$hand/gradescope.zip" 01-row-order 08-two-barriers --seed 2 --for gradescope
    if command -v unzip >/dev/null; then
        is 0
        unzip -q "$hand/gradescope.zip" -d "$autograder/source" || fail 'the archive cannot be opened'
        mkdir -p "$autograder/source/build/bin"
        ln -s "$LADDER_BUILD/bin/lab" "$autograder/source/build/bin/lab"
        [ -x "$autograder/source/setup.sh" ] || fail 'setup.sh is not in the root of the archive'
        call env AUTOGRADER="$autograder" "$autograder/source/run_autograder"
        is 0
        said=$(fields gradescope "$autograder/results/results.json")
        [ -z "$said" ] || fail 'not the fields of Gradescope'
        said=$(jq -c '[.score, ([.tests[].max_score] | add), ([.tests[].score] | add)]' "$autograder/results/results.json")
        says '^\[5,17,5\]$'
    fi
fi
answers 2 'one submission' score --gradescope --students "$students"

end
