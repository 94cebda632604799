#!/bin/sh
# SPDX-License-Identifier: MIT
# plain.sh: the README's lines without ./ladder, exactly as they are there: configure, build, test, document. They run
# in a copy with step 01 and some of its tests, without the simulated GPU, since all of it takes minutes. Doxygen's line needs doxygen: where
# it is missing, the line must say so.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
stage=$(mktemp -d "${TMPDIR:-/tmp}/plain.XXXXXX") || exit 1
trap 'rm -rf "$stage"' EXIT
trap 'exit 1' INT TERM HUP
fail() {
    cat "$stage/log"
    echo "FAILED: $*"
    exit 1
}
cd "$root" || exit 1
mkdir "$stage/steps" "$stage/exercises" && : >"$stage/log" || exit 1
cp -R CITATION.cff CMakeLists.txt README.md cmake common docs simgpu tests tools "$stage" &&
    cp -R steps/01-cpu-naive "$stage/steps" || exit 1
: >"$stage/exercises/CMakeLists.txt" # the rest of the house is neither built nor tested here
: >"$stage/tests/CMakeLists.txt"
cd "$stage" || exit 1
sed -i '/^option(LADDER_GPU_STEPS/s/ON)/OFF)/' CMakeLists.txt
sed -i '/add_subdirectory(tools.lab)/!{/add_subdirectory/d}' cmake/tools.cmake
sed -i '/^ladder_sizes/d; s/^ladder_ordinary_tests.*/ladder_bad_options()/' steps/01-cpu-naive/CMakeLists.txt

lines=$(sed -n '/^```sh/,/^```$/p' README.md | grep -E '^(cmake|ctest) ')
[ "$(printf '%s\n' "$lines" | wc -l)" -eq 4 ] || fail "README.md has not the four lines, but: $lines"
# The user who types them has none of our settings.
unset CMAKE_GENERATOR CTEST_PARALLEL_LEVEL CMAKE_BUILD_PARALLEL_LEVEL
number=0
printf '%s\n' "$lines" >"$stage/lines"
while read -r line; do
    number=$((number + 1))
    sh -c "$line" >"$stage/log" 2>&1 </dev/null && continue
    [ $number -eq 4 ] && ! command -v doxygen >/dev/null && grep -q 'needs doxygen' "$stage/log" && continue
    fail "line $number: $line"
done <"$stage/lines"
build/bin/01-cpu-naive --n 16 --quiet || fail 'step 01 does not run'
[ -s build/Testing/Temporary/LastTest.log ] || fail 'no tests were run'
! command -v doxygen >/dev/null || [ -s build/docs/api/index.html ] || fail 'Doxygen wrote no build/docs/api/index.html'
echo 'all right'
