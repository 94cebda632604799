#!/bin/sh
# SPDX-License-Identifier: MIT
# ./ladder setup: what it installs, whom it asks, what it does when it cannot.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2016
. "$(dirname "$0")/lib.sh"
complete_machine
package_manager

# Only gnuplot is missing. It asks, and takes anything but yes for a no.
for input in 'n
' '' 'maybe
'; do
    answers 0 'gnuplot-nox +draws the plot' setup
    says 'Install them with sudo apt-get\?'
    says 'sudo apt-get install gnuplot-nox'
    never_logged '^(sudo|apt-get)'
done
(cd / && PATH="$bin:$stage/tools" "$tree/ladder" setup <&- >"$stage/out" 2>&1)
status=$?
is 0
never_logged '^(sudo|apt-get)'

# Yes: with sudo, and nothing but what is missing.
rm "$tree/build/build.ninja"
forget
touch "$tree/stale"
input='y
'
gives 0 setup
logged '^sudo .*apt-get .* install .* gnuplot-nox$'
[ "$(grep -c '^apt-get .* install ' "$log")" -eq 1 ] || fail 'apt-get install was called more than once'
logged '^cmake -S .* -G Ninja'
logged '^build '
rm "$tree/stale"

# A second time there is nothing to do.
forget
gives 0 setup
never_logged .
silent_about missing

# --yes asks nobody, and asks for all that is missing in one go.
rm "$bin/gnuplot" "$bin/ninja" "$bin/addr2line"
input=''
gives 0 setup --yes
silent_about '\?'
logged '^apt-get .* install .* ninja-build binutils gnuplot-nox$'

# Root needs neither sudo nor a question.
echo 'echo 0' | stub id
rm "$bin/gnuplot"
forget
gives 0 setup
silent_about '\?'
never_logged '^sudo'
logged '^apt-get .* install .* gnuplot-nox$'

# No network: the package is named; what is only wanted does not stop us, what is needed does.
touch "$tree/no-network"
rm "$bin/gnuplot"
answers 0 'could not be had: gnuplot-nox' setup
says '^Ready'
rm "$bin/g++" "$bin/c++"
answers 3 'could not be had: g\+\+ gnuplot-nox' setup
says 'cannot go on without: g\+\+. Is there a network'
silent_about '^Ready'
rm "$tree/no-network"

# One package that does not exist keeps no other away.
echo gnuplot-nox >"$tree/unavailable"
answers 0 'could not be had: gnuplot-nox' setup
[ -x "$bin/g++" ] || fail 'g++ was not installed'

# Not Debian: it names what it wants, goes on, and takes make where there is no ninja.
rm "$bin/apt-get" "$bin/ninja" "$tree/build/build.ninja"
forget
answers 0 'not Debian or Ubuntu' setup
says 'ninja-build +builds; without it make does'
logged '^cmake -S '
never_logged 'Ninja'
answers 3 'cannot go on without: .*doxygen' docs

# Nobody to become root with.
package_manager
rm "$bin/sudo"
echo 'echo 1000' | stub id
answers 0 'As root: apt-get install ninja-build gnuplot-nox' setup --yes

# A sudo that refuses is asked once.
echo 'echo "sudo $*" >>"$log"; exit 1' | stub sudo
forget
answers 0 'sudo does not let you. As root: apt-get install ninja-build gnuplot-nox' setup --yes
[ "$(grep -c '^sudo' "$log")" -eq 1 ] || fail "sudo was called more than once: $(cat "$log")"
never_logged '^apt-get'
rm "$bin/sudo"

# An old CMake counts as none; a failing one is reported.
sed 's/3\.25\.1/3.18.4/' "$bin/cmake" >"$stage/old" && cp "$stage/old" "$bin/cmake"
answers 3 'cannot go on without: cmake' setup
complete_machine
rm "$tree/build/CMakeCache.txt"
sed 's/-S)/-S) exit 1 ;; -S)/' "$bin/cmake" >"$stage/bad" && cp "$stage/bad" "$bin/cmake"
answers 3 'configuring failed' setup
complete_machine
touch "$tree/stale"
sed 's/^    if /    echo "[1\/2] Building x.o"; echo "x.c:7: error: no"; exit 1; if /' "$bin/cmake" >"$stage/bad" &&
    cp "$stage/bad" "$bin/cmake"
answers 3 'building failed' setup
says '^x.c:7: error: no$'
silent_about 'Building x.o'
grep -q 'Building x.o' "$tree/build/build.log" || fail 'the whole output was not kept'
rm "$tree/stale"
complete_machine

# The vendor library is looked for among the libraries.
echo 'echo libm.so.6' | stub ldconfig
answers 0 'libopenblas0-pthread +the vendor library' setup
complete_machine

# A build folder that was copied here with the rest is configured anew.
ladder setup
echo 'CMAKE_HOME_DIRECTORY:INTERNAL=/somewhere/else' >"$tree/build/CMakeCache.txt"
forget
answers 0 'configured for /somewhere/else' setup
logged '^cmake -S '

# CMake's options, and another build folder.
forget
LADDER_CMAKE='-DLADDER_WERROR=ON -DX=1'
LADDER_BUILD=$stage/elsewhere
export LADDER_CMAKE LADDER_BUILD
gives 0 setup
logged "^cmake -S $tree -B $stage/elsewhere .*-DLADDER_WERROR=ON -DX=1$"
forget
ladder setup # the same options again: nothing to configure
never_logged '^cmake'
LADDER_CMAKE='-DX=2'
ladder setup
logged '^cmake -S .* -DX=2$'

# A build folder that cannot be made.
LADDER_BUILD=$tree/ladder/build
answers 3 "cannot write into the build folder $LADDER_BUILD\. .*LADDER_BUILD=" setup
LADDER_BUILD=$stage/elsewhere

# Programs for a GPU are built where somebody asks for them.
never_logged LADDER_CUDA
forget
unset LADDER_CMAKE LADDER_BUILD
touch "$tree/stale"
answers 3 'needs nvcc' setup --cuda
never_logged .
tools nvcc
gives 0 setup --cuda
logged '^cmake -S .*-DLADDER_CUDA=ON'
logged '^build .* --target all$'

# Two at once in one folder: the second waits.
if command -v flock >/dev/null; then
    rm "$tree/build/CMakeCache.txt"
    sed "s,^-S),-S) [ ! -e '$tree/busy' ] || echo together >>\"\$log\"; : >'$tree/busy'; sleep 2; rm '$tree/busy'," \
        "$bin/cmake" >"$stage/slow" && cp "$stage/slow" "$bin/cmake"
    forget
    (cd / && PATH="$bin:$stage/tools" "$tree/ladder" setup </dev/null >"$stage/first" 2>&1) &
    sleep 1
    answers 0 "Another ./ladder is building in $tree/build: waiting" setup
    wait $! || fail "the first of two failed: $(cat "$stage/first")"
    never_logged together
fi
done_testing
