#!/bin/sh
# SPDX-License-Identifier: MIT
# variants.sh BUILD [EX...]: each of the four variants of an exercise (without EX of all) has a solution that passes, and that is wrong
# as the next variant's answer. Eleven exercises have variants; the four differ in what students get.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2154
. "$(dirname -- "$0")/lib.sh"
shift

called='exercises with variants' said=$(grep -l '^vary ' "$root"/exercises/*/check.md | wc -l)
[ "$said" -ge 11 ] || fail 'fewer than eleven'

# The variants of an exercise, by the seeds of classes that have them: in $seeds, with their texts in $stage.
find_variants() {
    seeds='' sums=''
    for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        "$LADDER_BUILD/bin/lab" solution "$1" --anyway --class $seed >"$stage/$seed"
        sum=$(cksum <"$stage/$seed")
        case $sums in *"[$sum]"*) ;; *) sums="$sums[$sum]" seeds="$seeds $seed" ;; esac
    done
}
# with_region ANSWER FRAME: the text between the marks of one file, in the other one.
with_region() {
    awk -v begin='/* YOUR CODE' -v end='/* END */' '
        FNR == NR { if (index($0, end)) inside = 0
                    if (inside) region[regions] = region[regions] $0 "\n"
                    if (index($0, begin)) { inside = 1; regions++ }
                    next }
        index($0, end) { skip = 0 }
        !skip { print }
        index($0, begin) { skip = 1; printf "%s", region[++at] }' "$1" "$2"
}

for name in $(grep -l '^vary ' "$root"/exercises/*/check.md | sed 's,.*/\([^/]*\)/check.md,\1,'); do
    find_variants "$name"
    called="variants of $name" said=$seeds
    [ "$(echo "$seeds" | wc -w)" -eq 4 ] || fail 'not four'
    # The text that a line of the goals changes exists.
    called="words that vary in $name"
    sed -n 's/^vary \([^ ]*\) .*/\1/p' "$root/exercises/$name/check.md" | tr '~' ' ' >"$stage/words"
    while IFS= read -r said; do
        sed '/^vary /d; /^## Answers/,$d' "$root/exercises/$name/check.md" | cat - "$root/exercises/$name"/source.* "$root/exercises/$name/README.md" | grep -qF -e "$said" ||
            fail 'no such text'
    done <"$stage/words"
    case " ${*:-$name} " in *" $name "*) ;; *) continue ;; esac
    for seed in $seeds; do last=$seed; done
    for seed in $seeds; do
        gives 0 check "$name" "$stage/$seed" --class "$seed" --seed 1
        with_region "$stage/$last" "$stage/$seed" >"$stage/other"
        gives 1 check "$name" "$stage/other" --class "$seed" --seed 1
        silent_about 'outside the marked regions'
        last=$seed
    done
done

# A class with a / at its end: each student has a separate variant, and the check knows which.
students=$stage/students name=04-seven-products
for student in ada bob cleo; do
    mkdir -p "$students/$student/$name"
    "$LADDER_BUILD/bin/lab" solution $name --anyway --class "17/$student" >"$students/$student/$name/exercise.c"
done
cp "$students/ada/$name/exercise.c" "$stage/of-ada"
cmp -s "$stage/of-ada" "$students/bob/$name/exercise.c" && fail 'two students have one variant' # by this seed they do not
lab score --recheck --students "$students" --class 17/ --csv
for student in ada bob cleo; do says "^$student,$name,4,passed,.*,10,10$"; done
cp "$stage/of-ada" "$students/bob/$name/exercise.c"
lab score --recheck --students "$students" --class 17/ --csv
says "^bob,$name,4,started,.*changed outside the marked regions"
# The folder that is handed out has this variant only.
for student in ada bob; do
    gives 0 export "$stage/$student" $name --class "17/$student"
done
called='what is handed out' said=$(cat "$stage/ada/exercises/$name/check.md")
silent_about '^vary'
cmp -s "$stage/ada/exercises/$name/source.c" "$stage/bob/exercises/$name/source.c" && fail 'one source for both'

end
