#!/bin/sh
# SPDX-License-Identifier: MIT
# formatted.sh BUILD [EX...]: the solution of each exercise (without EX of all that this build has) passes after clang-format has
# laid it out in another style, the frame around the marked regions included.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2154
. "$(dirname -- "$0")/lib.sh"
shift

clang_format=$(command -v clang-format-14 || command -v clang-format) || { echo 'skipped: clang-format is not installed'; exit 77; }
# shellcheck disable=SC2046 # words
[ $# -gt 0 ] || set -- $(cd "$root/exercises" && ls -d [0-9]*)
for name in "$@"; do
    suffix=c
    [ ! -f "$root/exercises/$name/source.cu" ] || suffix=cu
    [ $suffix = c ] || grep -q '^SIM_LIBRARY=.' "$LADDER_BUILD/lab/settings" || continue
    "$LADDER_BUILD/bin/lab" solution "$name" --anyway >"$stage/solution.$suffix"
    seed=1 # another for each style: sizes are drawn, and a right answer passes with any
    for style in LLVM Google Mozilla GNU; do
        seed=$((seed + 1))
        "$clang_format" --style=$style <"$stage/solution.$suffix" --assume-filename=x.$suffix >"$stage/$style.$suffix"
        called="$name in the style $style" said=''
        ! cmp -s "$stage/solution.$suffix" "$stage/$style.$suffix" || fail 'nothing changed'
        gives 0 check "$name" "$stage/$style.$suffix" --seed $seed --no-gpu
    done
done

end
