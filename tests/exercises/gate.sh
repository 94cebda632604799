#!/bin/sh
# gate.sh EXERCISE BUILD: an exercise is sound when its stub compiles and fails, its solution passes
# without a warning, three hints help, each loop's bound has a mutant, and every mutant, a wrong answer
# made from the solution, is rejected for the reason recorded in it (`expect: REGEX`). A right answer
# that is written in another way passes.
#
#   mutants/NAME.sed     commands for what is between the marks, one a line, each of which must
#                        change something
#   mutants/NAME.c, .cu  what stands in the solution's first marked region instead
#   right/NAME...        the same, but a right answer that is written in another way: it passes
#
# The numbers are drawn by a fixed seed, so the gate says the same every time; GATE_SEED takes another
# (the quadrant of the first wrong element may then be another one, too).
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
exercise=$1
export LADDER_BUILD="$2" LADDER_LAB_BUILT=yes
export OMP_WAIT_POLICY=passive
folder=${LADDER_EXERCISES:-$root/exercises}/$exercise
work=$(mktemp -d "${TMPDIR:-/tmp}/gate.XXXXXX") || exit 1
export LADDER_LAB="$work/lab"
lab=$LADDER_BUILD/bin/lab
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
problems=0
problem() {
    problems=$((problems + 1))
    printf 'PROBLEM: %s: %s\n' "$exercise" "$*"
}

# check FILE: its status in $status, what it says in $said.
check() {
    said=$("$lab" check "$exercise" "$1" --seed "${GATE_SEED:-1}" 2>&1)
    status=$?
    printf '%s\n\n' "$said"
}
says() { printf '%s\n' "$said" | grep -Eq -- "$1"; }

for file in README.md hints.md goals; do
    [ -f "$folder/$file" ] || problem "no $file"
done
[ "$(grep -c '^## ' "$folder/hints.md")" -eq 3 ] || problem 'not three hints'
suffix=c
[ ! -f "$folder/source.cu" ] || suffix=cu
stub=$LADDER_LAB/$exercise/exercise.$suffix solution=$work/solution.$suffix
"$lab" start "$exercise" >/dev/null || problem 'no stub can be made of its source'
"$lab" solution "$exercise" --anyway >"$solution" || problem 'no solution can be made of its source'

echo '---- the stub'
check "$stub"
[ $status -eq 1 ] || problem "the stub ends with status $status, expected 1"
! says 'does not compile' || problem 'the stub does not compile'
! says 'outside the marked regions' || problem 'the stub has no marked regions'

echo '---- the solution'
check "$solution"
[ $status -eq 0 ] || problem "the solution ends with status $status, expected 0"
! says 'warning:' || problem 'the solution compiles with warnings'

# Applies a script's commands one by one; one that changes nothing is out of date.
apply() { # SCRIPT
    cp "$solution" "$mutant"
    grep -v '^#' "$1" >"$work/commands"
    while read -r command; do
        sed -e "/YOUR CODE/,/END/{" -e "$command" -e "}" "$mutant" >"$work/next" || problem "$1: sed does not take '$command'"
        ! cmp -s "$work/next" "$mutant" || problem "$1: '$command' changes nothing"
        mv "$work/next" "$mutant"
    done <"$work/commands"
    diff "$solution" "$mutant" | sed -n 's/^< //p' >>"$work/changed"
}
# Puts a text between the first two marks.
replace() { # BODY
    awk -v body="$1" '
        !done && /\/\* YOUR CODE/ {
            print
            while ((getline line < body) > 0) print line
            skipping = done = 1
        }
        /\/\* END \*\// { skipping = 0 }
        !skipping { print }' "$solution" >"$mutant"
}

# The script's answer, in $mutant.
answer() { # SCRIPT
    name=$(basename "$1")
    mutant=$work/mutant/${name%.*}.$suffix
    case $name in *.sed) apply "$1" ;; *) replace "$1" ;; esac
}

mutants=0 others=0
: >"$work/changed"
mkdir "$work/mutant"
for script in "$folder"/mutants/*; do
    mutants=$((mutants + 1))
    answer "$script"
    expected=$(sed -n 's/.*expect: //p' "$script" | head -n 1)
    [ -n "$expected" ] || problem "$name: it says not what to expect"
    echo "---- $name: expect: $expected"
    check "$mutant"
    [ $status -eq 1 ] || problem "$name ends with status $status, expected 1"
    ! says 'does not compile' || problem "$name does not compile"
    says "$expected" || problem "$name: no line matches '$expected'"
done
[ $mutants -ge 3 ] || problem "$mutants mutants, expected three or more"

# Every loop of the solution is in some mutant that a command of sed made.
sed -n '/YOUR CODE/,/END/p' "$solution" | grep 'for (' >"$work/loops"
while IFS= read -r loop; do
    grep -qxF -e "$loop" "$work/changed" || problem "no mutant changes the loop: $loop"
done <"$work/loops"

for script in "$folder"/right/*; do
    [ -f "$script" ] || continue
    others=$((others + 1))
    answer "$script"
    echo "---- right/$name"
    check "$mutant"
    [ $status -eq 0 ] || problem "right/$name ends with status $status, expected 0"
done

printf '%s: %s mutants, %s other right answers, %s problems\n' "$exercise" $mutants $others $problems
[ $problems -eq 0 ]
