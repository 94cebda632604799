#!/bin/sh
# SPDX-License-Identifier: MIT
# answers.sh ANSWERS FOLDER...: every question in words of these steps and exercises has an answer in ANSWERS.
# Questions are the numbered items below "To answer in words" in an exercise and below "## Exercises" in a chapter;
# the answers to them are below "### Chapter NN" or "### NAME".
answers=$1
shift
faults=0
items() { # HEADING FILE: how many numbered items are below it, up to the next heading
    awk -v heading="$1" '
        /^#/ || /^\*\*To answer/ { inside = $0 == heading }
        inside && /^[0-9]+\. / { count++ }
        END { print count + 0 }' "$2"
}
for folder; do
    [ -f "$folder/README.md" ] || continue # a step without a chapter so far
    name=${folder##*/}
    case $folder in
    *exercises/*) asked=$(items '**To answer in words**' "$folder/README.md") heading="### $name" ;;
    *) asked=$(items '## Exercises' "$folder/README.md") heading="### Chapter ${name%%-*}" ;;
    esac
    answered=$(items "$heading" "$answers")
    [ "$asked" -gt 0 ] && [ "$asked" -eq "$answered" ] && continue
    echo "$folder/README.md asks $asked questions; $answers answers $answered of them below \"$heading\""
    faults=1
done
exit $faults
