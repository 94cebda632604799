#!/bin/sh
# SPDX-License-Identifier: MIT
# When ./ladder configures anew, and with what.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2016
. "$(dirname "$0")/lib.sh"
complete_machine
package_manager
touch "$tree/stale"

# A build folder that was copied here with the rest is configured anew.
ladder setup
echo 'CMAKE_HOME_DIRECTORY:INTERNAL=/somewhere/else' >"$tree/build/CMakeCache.txt"
forget
answers 0 'configured for /somewhere/else' setup
logged '^cmake -S '

# Packages and a CUDA compiler that were installed after the first configuration are found.
forget
ladder setup
never_logged '^cmake'
rm "$bin/mpicc"
ladder setup
tools mpicc
forget
ladder setup
logged '^cmake -S '
forget
ladder setup
never_logged '^cmake'
echo 'CMAKE_CUDA_COMPILER:FILEPATH=CMAKE_CUDA_COMPILER-NOTFOUND' >>"$tree/build/CMakeCache.txt"
tools doxygen
ladder setup
logged '^cmake -S .* -U CMAKE_CUDA_COMPILER'
rm "$bin/doxygen"

# Sources that are dated in the future: the build would never end.
touch -d '2099-01-01' "$tree/steps" "$tree/ladder"
answers 0 '^Dated in the future, from now on today: ' setup
[ -z "$(find "$tree" -newer "$tree/build/now" -newermt 2090-01-01)" ] || fail 'a file is still dated in the future'
gives 0 setup
silent_about 'Dated in the future'

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

# Options that CMake refuses are forgotten: the next call configures as the last one that worked.
LADDER_CMAKE=-DBROKEN=1
answers 3 'configuring failed' setup
LADDER_CMAKE='-DX=2'
forget
gives 0 setup
logged '^cmake -S .* -DX=2$'
! grep BROKEN "$stage/elsewhere/CMakeCache.txt" || fail 'it remembers the options that failed'

# A build folder that cannot be made.
LADDER_BUILD=$tree/ladder/build
answers 3 "cannot write into the build folder $LADDER_BUILD\. .*LADDER_BUILD=" setup
LADDER_BUILD=$stage/elsewhere

# Programs for a GPU are built only on request.
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
end
