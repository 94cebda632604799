#!/bin/sh
# ./ladder lab: hands everything to tools/lab; only what compiles needs a configured build.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2016
. "$(dirname "$0")/lib.sh"
complete_machine
{ printf '#!/bin/sh\n'; echo 'echo "lab $LADDER_BUILD $*" >>"'"$log"'"; exit 7'; } >"$tree/tools/lab"
chmod +x "$tree/tools/lab"

for words in '' list 'start 01-row' 'score --json' --help; do
    forget
    # shellcheck disable=SC2086 # words
    ladder lab $words
    is 7
    logged "^lab $tree/build $words\$"
    never_logged cmake
done
for words in 'check 01-row --seed 3' watch; do
    forget
    rm -rf "$tree/build"
    # shellcheck disable=SC2086 # words
    ladder lab $words
    is 7
    logged '^cmake -S '
    logged "^lab $tree/build $words\$"
done
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
    ladder sim $words
    is 7
    logged "^sim $words\$"
done
done_testing
