#!/bin/sh
# SPDX-License-Identifier: MIT
# ./ladder lab: makes the lab and hands everything to it.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2016
. "$(dirname "$0")/lib.sh"
complete_machine
mkdir -p "$tree/build/bin"
program_lab() { printf '#!/bin/sh\necho "lab $LADDER_BUILD $*" >>"%s"; exit 7\n' "$log" >"$tree/build/bin/lab"; chmod +x "$tree/build/bin/lab"; }

for words in '' list 'start 01-row' 'score --json' --help 'check 01-row --seed 3' watch; do
    forget
    rm -rf "$tree/build"
    mkdir -p "$tree/build/bin"
    program_lab
    # shellcheck disable=SC2086 # words
    gives 7 lab $words
    logged '^cmake -S '
    logged "^lab $tree/build $words\$"
done
forget
gives 7 --yes lab reset 01-row
logged "^lab $tree/build reset 01-row$"
gives 7 lab reset 01-row --yes # reset has one, too
logged "^lab $tree/build reset 01-row --yes$"
forget
ladder lab check
never_logged cmake # it is configured now
logged '^lab .* check$'

# So does sim; its options are its own.
mkdir -p "$tree/build/simgpu"
{ printf '#!/bin/sh\n'; echo 'echo "sim $*" >>"'"$log"'"; exit 7'; } >"$tree/build/simgpu/sim"
chmod +x "$tree/build/simgpu/sim"
for words in --help '--seed=3 a.cu -- --help --n=4'; do
    forget
    # shellcheck disable=SC2086 # words
    gives 7 sim $words
    logged "^sim $words\$"
done
forget
gives 7 sim --yes a.cu -- --yes -h # after -- everything is for the program
logged '^sim a.cu -- --yes -h$'
done_testing
