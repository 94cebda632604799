#!/bin/sh
# SPDX-License-Identifier: MIT
# ./ladder setup: what it installs, when it asks, and what it does when it cannot install.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2016
. "$(dirname "$0")/lib.sh"
complete_machine
package_manager

# Only gnuplot is missing. Without a terminal it does not ask, installs nothing, says what it would install, and goes on.
for input in 'y
' ''; do
    answers 0 'gnuplot-nox +draws the plot' setup
    says 'Not installed: add --yes, or call sudo apt-get update && sudo apt-get install gnuplot-nox$'
    silent_about '\?'
    never_logged '^(sudo|apt-get)'
done
(cd / && PATH="$bin:$stage/tools" "$tree/ladder" setup <&- >"$stage/out" 2>&1)
status=$?
is 0
never_logged '^(sudo|apt-get)'

# On a terminal it asks, and takes anything but yes for a no.
terminal=$(command -v script)
typed() { # ANSWER
    input=$1 called="ladder setup, and '$1' typed"
    printf '%s\n' "$1" | (cd / && PATH="$bin:$stage/tools" SHELL=/bin/sh "$terminal" -qec "'$tree/ladder' setup" /dev/null) >"$stage/out" 2>&1
    status=$? err='' out=$(tr -d '\r' <"$stage/out")
    is 0
}
forget
touch "$tree/stale"
if [ -n "$terminal" ]; then
    for answer in n maybe; do
        typed $answer
        says 'Install them with sudo apt-get\?'
        never_logged '^(sudo|apt-get)'
    done
    forget
    typed y
else
    echo 'not tried on a terminal: no program "script" here'
    gives 0 setup --yes
fi

# Yes: with sudo, and nothing but what is missing.
logged '^sudo .*apt-get .* install .* gnuplot-nox$'
[ "$(grep -c '^apt-get .* install ' "$log")" -eq 1 ] || fail 'apt-get install was called more than once'
rm "$tree/build/build.ninja"
gives 0 setup
logged '^cmake -S .* -G Ninja'
logged '^build '
rm "$tree/stale"

# The second call has nothing to do.
forget
gives 0 setup
never_logged .
silent_about missing

# --yes does not ask, and installs all that is missing in one go.
rm "$bin/gnuplot" "$bin/ninja" "$bin/addr2line"
input=''
gives 0 setup --yes
silent_about '\?'
logged '^apt-get .* install .* ninja-build binutils gnuplot-nox$'

# Root is asked, too, and needs no sudo.
echo 'echo 0' | stub id
rm "$bin/gnuplot"
forget
answers 0 'add --yes, or call apt-get update && apt-get install gnuplot-nox$' setup
never_logged '^(sudo|apt-get)'
gives 0 --yes setup
silent_about '\?'
never_logged '^sudo'
logged '^apt-get .* install .* gnuplot-nox$'

# If a needed package may not be installed, it ends with status 3 and prints the command that installs it.
rm "$bin/g++" "$bin/c++"
forget
answers 3 'cannot go on without: g\+\+. Not installed: add --yes, or call apt-get update && apt-get install g\+\+$' setup
never_logged '^(sudo|apt-get)'
tools g++ c++

# No network: it names the package. A missing optional package does not end it, a needed one does.
touch "$tree/no-network"
rm "$bin/gnuplot"
answers 0 'could not be had: gnuplot-nox' setup --yes
says '^Ready'
rm "$bin/g++" "$bin/c++"
answers 3 'could not be had: g\+\+ gnuplot-nox' setup --yes
says 'cannot go on without: g\+\+. Is there a network'
silent_about '^Ready'
rm "$tree/no-network"

# A package that does not exist does not prevent the others.
echo gnuplot-nox >"$tree/unavailable"
answers 0 'could not be had: gnuplot-nox' setup --yes
[ -x "$bin/g++" ] || fail 'g++ was not installed'

# Not Debian: it names what it wants, goes on, and takes make where there is no ninja.
rm "$bin/apt-get" "$bin/ninja" "$tree/build/build.ninja"
forget
answers 0 'not Debian or Ubuntu' setup
says 'ninja-build +builds; without it make does'
logged '^cmake -S '
never_logged 'Ninja'
answers 3 'cannot go on without: .*doxygen' docs

# No way to become root.
package_manager
rm "$bin/sudo"
echo 'echo 1000' | stub id
answers 0 'As root: apt-get update && apt-get install ninja-build gnuplot-nox' setup --yes

# A sudo that refuses is asked once.
echo 'echo "sudo $*" >>"$log"; exit 1' | stub sudo
forget
answers 0 'sudo does not let you. As root: apt-get update && apt-get install ninja-build gnuplot-nox' setup --yes
[ "$(grep -c '^sudo' "$log")" -eq 1 ] || fail "sudo was called more than once: $(cat "$log")"
never_logged '^apt-get'
rm "$bin/sudo"

# An old CMake counts as missing; a failing one is reported.
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

# What is written in Python needs it; a bare system has none.
for script in install python; do
    sed "s,/usr/bin/python3,$bin/python3," "$root/tools/scripts/$script" >"$tree/tools/scripts/$script"
done
for command in paper bench; do
    answers 3 'cannot go on without: python3\.' $command
done
answers 3 'cannot go on without: python3 python3-numpy\.' grade
echo 'echo "ctest $*" >>"$log"' | stub ctest
rm -f "$bin/mpirun" "$bin/gnuplot"
answers 2 'openmpi-bin .*starts the ranks' test nosuch # asked about on a configured tree, too
says '^  python3 +runs the tests of pages'
says 'gnuplot-nox +draws the plot'
says 'Going on with what is here'
complete_machine

# MkDocs's theme is a module in Debian 13 and Ubuntu 24.04, where it has no folder.
tools python3
sed "s,/usr/bin/python3,$bin/python3,; s,/usr/share,/nowhere,g" "$root/tools/scripts/install" >"$tree/tools/scripts/install"
answers 3 'libjs-katex +sets its formulas' docs
silent_about 'mkdocs-material'
end
