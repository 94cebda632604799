#!/bin/sh
# SPDX-License-Identifier: MIT
# elsewhere.sh CMAKE CC CXX GENERATOR: a copy of the repository in a path with a blank and an umlaut is part of
# another project (add_subdirectory). It must configure, build and run, and a second build must find
# nothing to do. Two steps are enough, and of one of them the objects. A read-only copy must configure, too.
set -u
cmake=$1 generator=$4
export CC="$2" CXX="$3"
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
stage=$(mktemp -d "${TMPDIR:-/tmp}/elsewhere.XXXXXX") || exit 1
trap 'chmod -R u+w "$stage"; rm -rf "$stage"' EXIT
trap 'exit 1' INT TERM HUP
fail() {
    echo "FAILED: $*"
    exit 1
}
must() { # WORDS COMMAND...: fails with these words, and what the command said, if the command fails
    words=$1
    shift
    "$@" >"$stage/log" 2>&1 || { cat "$stage/log"; fail "$words"; }
}

home="$stage/mit Blank und ü"
build="$home/build"
mkdir -p "$home/ladder/steps" "$home/ladder/docs" || exit 1
cd "$root" || exit 1
cp -R CITATION.cff CMakeLists.txt cmake common exercises simgpu tools "$home/ladder" && cp -R docs/documents "$home/ladder/docs" &&
    cp -R steps/01-cpu-naive steps/06-gpu-naive "$home/ladder/steps" || exit 1
cat >"$home/CMakeLists.txt" <<'X'
cmake_minimum_required(VERSION 3.22)
project(another LANGUAGES C)
add_subdirectory(ladder)
X
build() { "$cmake" --build "$build" --target 01-cpu-naive 06-gpu-naive.sim_plain; }

must 'it does not configure' "$cmake" -S "$home" -B "$build" -G "$generator" -DLADDER_CUDA=OFF
must 'it does not build' build
"$build/ladder/bin/01-cpu-naive" --n 16 --quiet || fail 'what was built does not run'
[ ! -e "$build/bin" ] || fail "something was written outside the project's own build folder"
[ "$(cut -f1 "$build/ladder/steps.tsv" | tr '\n' ' ')" = '01-cpu-naive 06-gpu-naive ' ] ||
    fail "steps.tsv has: $(cat "$build/ladder/steps.tsv")"

build >"$stage/log" 2>&1
! grep -E 'Rewriting|Building|Linking|Re-running' "$stage/log" || fail 'the second build builds again'
touch "$home/ladder/steps/06-gpu-naive/06-gpu-naive.cu"
build >"$stage/log" 2>&1
grep -q 'Rewriting' "$stage/log" || fail 'a source that changed is not built again'
# A new step is found, and a removed one is forgotten.
cp -R "$home/ladder/steps/01-cpu-naive" "$home/ladder/steps/02-trial"
mv "$home/ladder/steps/02-trial/01-cpu-naive.c" "$home/ladder/steps/02-trial/02-trial.c"
sed 's/01-cpu-naive/02-trial/' "$home/ladder/steps/01-cpu-naive/CMakeLists.txt" >"$home/ladder/steps/02-trial/CMakeLists.txt"
build >"$stage/log" 2>&1 # make reads its list of targets before it brings it up to date
must 'a new step was not found' "$cmake" --build "$build" --target 02-trial
rm -r "$home/ladder/steps/02-trial"
build >"$stage/log" 2>&1
! "$cmake" --build "$build" --target 02-trial >"$stage/log" 2>&1 || fail 'a step that is gone was built'

# A clone that a class shares is read-only to its students, but copies made from it must be writable. Root may write everywhere, so the test looks at the rights.
shared=$stage/shared
mkdir "$shared" && cp -R CITATION.cff CMakeLists.txt cmake common exercises simgpu tools steps tests docs "$shared" || exit 1
chmod -R a-w "$shared"
must 'a read-only copy does not configure' "$cmake" -S "$shared" -B "$stage/own" -G "$generator" -DLADDER_CUDA=OFF
locked=$(find "$stage/own" -type f ! -perm -200)
[ -z "$locked" ] || fail "read-only in the build folder: $locked"
echo 'all right'
