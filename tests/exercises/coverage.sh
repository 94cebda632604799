#!/bin/sh
# SPDX-License-Identifier: MIT
# Every step has an exercise, and its chapter says how to start each of them.
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
cd "$root" || exit 1
problems=0
problem() {
    problems=$((problems + 1))
    echo "PROBLEM: $*"
}
for folder in steps/[0-9][0-9]-*/; do
    step=$(basename "$folder")
    found=0
    for source in exercises/"${step%%-*}"-*/source.*; do
        [ -f "$source" ] || continue
        found=$((found + 1))
        exercise=$(basename "$(dirname "$source")")
        grep -q "^./ladder lab start $exercise " "$folder/README.md" ||
            problem "$folder""README.md: no line './ladder lab start $exercise' under Exercises"
    done
    [ $found -gt 0 ] || problem "$step has no exercise"
done
for readme in exercises/[0-9][0-9]-*/README.md; do
    for part in '^# [0-9][0-9] – ' '^\*\*You will learn\*\*' '^\*\*The task\.\*\*' '^\*\*The target\.\*\*' \
        '^\*\*To answer in words\*\*' '^2\. '; do
        grep -Eq "$part" "$readme" || problem "$readme: no line '$part'"
    done
done
for file in exercises/[0-9][0-9]-*/*; do
    case ${file##*/} in
    README.md | source.c | source.cu | check.md) ;;
    *) problem "$file: no file of this name belongs to an exercise" ;;
    esac
done
exercises=$(find exercises -name 'source.*' | wc -l)
wrong=$(cat exercises/*/check.md | grep '^expect: ' | grep -cvFx 'expect: ^passed$')
echo "$exercises exercises, $wrong wrong answers, $problems problems"
[ "$exercises" -ge 20 ] && [ "$wrong" -ge 80 ] && [ $problems -eq 0 ]
