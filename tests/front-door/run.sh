#!/bin/sh
# SPDX-License-Identifier: MIT
# ./ladder run finds its step, passes options and status through, and turns to the simulated GPU.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2016
. "$(dirname "$0")/lib.sh"
complete_machine
say='for word in "$@"; do echo "word $word"; done; exit 0'
echo "$say" | step 01-cpu-naive
echo "$say" | step 02-cpu-blocked
echo 'exit 1' | step 10-gpu8
echo 'echo "12-gpu: no CUDA device" >&2; exit 3' | step 12-gpu
echo 'echo simulated; exit 0' | program 12-gpu.sim
step 13-gpu </dev/null
echo 'exit 3' | program 13-gpu.sim
no_program 13-gpu
echo 'echo "14-gpu: no CUDA device" >&2; exit 3' | step 14-gpu
echo 'echo "16-gpu: a GPU"; exit 0' | step 16-gpu
echo 'echo simulated; exit 0' | program 16-gpu.sim
step 15-none </dev/null
no_program 15-none

for word in 1 01 001 01-cpu-naive 01-cpu naive; do
    gives 0 run $word --n 64 --input 'two words'
    logged '^01-cpu-naive --n 64 --input two words$'
    [ "$out" = "$(printf 'word --n\nword 64\nword --input\nword two words')" ] ||
        fail 'the options did not come through, or standard output holds more than the program'
    forget
done
gives 1 run 10
echo 'echo "see $LADDER_CALLED --help"' | step 10-gpu8
gives 0 run gpu8 --frob
prints '^see ./ladder run gpu8 --help$'
# Through a link to the script, as in ~/bin
real=$tree
mkdir "$stage/home" && ln -s "$tree/ladder" "$stage/home/ladder" && tree=$stage/home
gives 0 run 1 --n 64 --input 'two words'
prints '^word two words$'
tree=$real
# Without Python, a command for makers says so.
sed -i 's,/usr/bin/python3,/nowhere/python3,' "$tree/tools/scripts/python"
answers 3 'paper.py needs Python 3 .Debian: apt-get install python3.$' paper
for words in 'run --yes 2 --json' '--yes run 2 --json' 'run 2 --yes --json' 'run 2 --json --yes'; do
    forget
    # shellcheck disable=SC2086 # words
    gives 0 $words
    logged '^02-cpu-blocked --json$' # the program does not see it
done

# No GPU: the program says so, or was never built.
answers 0 'No GPU here: 12-gpu runs on the simulated GPU' run 12 --json
[ "$out" = simulated ] || fail 'standard output holds more than the program'
logged '^12-gpu.sim --json$'
answers 3 'No GPU here' run 13
forget
gives 0 run 12.sim
silent_about 'No GPU here'
never_logged '^12-gpu '
answers 3 'no CUDA device' run 14
gives 0 run 16
silent_about 'No GPU here'
[ "$out" = '16-gpu: a GPU' ] || fail 'the GPU was not used'
answers 3 '15-none was not built here' run 15
answers 2 '01-cpu-naive has no program for the simulated GPU' run 01.sim

# An option that only the simulated GPU has (common/command/options.c) makes the step run there, even with a GPU.
simulated=$(sed -n 's/^    {"\([a-z-]*\)", .*, SIMULATED, .*/--\1/p' "$root/common/command/options.c")
case $simulated in *--report*) ;; *) fail 'no such options were found' ;; esac
for words in $simulated '--gpu modern' --gpu=modern '--json --addresses all'; do
    forget
    # shellcheck disable=SC2086 # words
    answers 0 'Only the simulated GPU can do this: 16-gpu runs on it' run 16 $words
    [ "$out" = simulated ] || fail 'the simulated GPU was not used'
    logged "^16-gpu.sim $words\$"
    never_logged '^16-gpu '
done
gives 0 run 16.sim --report
silent_about 'Only the simulated GPU'
ladder run 1 --report # the step itself says that --report does nothing there
logged '^01-cpu-naive --report$'

forget
for word in 9 nosuch '' . '*'; do
    answers 2 '01-cpu-naive 02-cpu-blocked 10-gpu8 12-gpu 13-gpu 14-gpu 15-none 16-gpu' run "$word"
done
answers 2 'run wants a step' run
answers 2 "'cpu' may mean: 01-cpu-naive 02-cpu-blocked" run cpu
answers 2 'give the step first' run --n 5 1
never_logged .

# On a configured tree the front door asks for no packages.
rm "$bin/g++" "$bin/c++"
gives 0 run 1
silent_about missing
rm "$tree/build/CMakeCache.txt"
answers 3 'cannot go on without: g\+\+' run 1
complete_machine
ladder run 1
forget

# Stale programs are built first; others are not built again.
ladder run 1
never_logged build
touch "$tree/stale"
ladder run 1
logged '^build .* --target 01-cpu-naive$'
forget
ladder run 16 # its program found a GPU: no simulated one is built
logged '^build .* --target 16-gpu$'
never_logged '^build .*sim'
forget
ladder run 16.sim
logged '^build .* --target 16-gpu.sim$'
never_logged '^16-gpu '
echo "$say" | program 01-cpu-naive.f64
for words in '--precision f64' '--json --precision=f64 --n 5'; do
    forget
    # shellcheck disable=SC2086 # words
    ladder run 1 $words
    logged '^build .* --target 01-cpu-naive 01-cpu-naive.f64$'
done

# A step that was added is configured before it is looked for.
forget
sleep 1
mkdir "$tree/steps/17-new"
: >"$tree/steps/17-new/CMakeLists.txt"
touch "$tree/steps"
ladder run 17
logged '^cmake -S '
end
