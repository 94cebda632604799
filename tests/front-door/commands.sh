#!/bin/sh
# SPDX-License-Identifier: MIT
# Help and unknown commands; ./ladder lab, which makes the lab and hands everything to it; and ./ladder test.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2016
. "$(dirname "$0")/lib.sh"
complete_machine

gives 0 --help
for command in setup tour run test lab paper bench grade docs explain sim; do
    prints "^  $command "
done
prints 'Exit status: 0 right, 1 wrong result, 2 bad usage, 3 a resource is missing'
for command in setup tour run test paper bench grade docs explain; do
    gives 0 $command --help
    prints "^usage: ./ladder $command "
    silent_about '^  [a-z]' # no other command
    gives 0 --yes $command -h
done
for call in help -h 'setup --help' 'tour --help' 'test -h' 'docs --help' 'run --help' 'help test'; do
    # shellcheck disable=SC2086 # words
    gives 0 $call
    prints '^usage: '
done

# The reader of the output is gone.
mkfifo "$stage/pipe"
: <"$stage/pipe" & # the only reader, which is gone before anything is written
exec 3>"$stage/pipe"
wait $!
PATH="$bin:$stage/tools" "$tree/ladder" --help >&3 2>"$stage/err"
status=$? err=$(cat "$stage/err") called='ladder --help | :'
exec 3>&-
is 0
[ -z "$err" ] || fail 'it complains'

# The disk is full.
full env PATH="$bin:$stage/tools" "$tree/ladder" --help
full "$root/ladder" --version
full "$root/ladder" explain warp

gives 2
says '^usage: '
answers 2 "no command 'climb'; there are: setup tour run test lab paper bench grade docs explain" climb
answers 2 "no command 'rnu', did you mean run; there are: setup" rnu
answers 2 "no command 'test-all'; there are: setup" test-all
gives 2 'tour|'
answers 2 "no command '06'; to run a step: ./ladder run 06" 06 --report
answers 2 "'--fast'" setup --fast
answers 2 "no option '--sizes'" tour --sizes 3
answers 2 '--n needs a value' tour --n
answers 2 "'one' and 'two'" test one two
answers 2 "grade takes cpu, gpu, or a step's program such as 04-cpu-strassen, not 'nix'" grade nix
[ ! -s "$log" ] || fail "something was set up or run: $(cat "$log")"

# ./ladder explain and --version read the project's own pages.
tree_here=$tree tree=$root
gives 0 --version
prints '^The Strassen Ladder [0-9]*\.[0-9]*\.[0-9]*$'
gives 0 explain coalesced
prints '^Coalesced\. .*addresses'
prints '^steps/06-gpu-naive/README.md$'
gives 0 explain GPU8
prints "^GPU8\. Li, Ranka and Sahni's"
gives 0 explain lda
prints '^lda, ldb, ldc, ld are leading dimensions'
gives 0 explain set
case $out in *settings*) fail "explain set prints an entry that has it only within a word: $out" ;; esac
gives 0 explain __restrict__
prints '^__restrict__ after a pointer'
gives 0 explain shared-race
prints '^shared-race: two threads touched the same bytes of shared memory between two barriers'
gives 0 explain invalid configuration argument
prints '^invalid configuration argument: 9; more than 1024 threads in a block'
answers 2 "no page has 'caolesced'; did you mean Coalesced?" explain caolesced
answers 2 'explain wants a word' explain
completes() { # PATTERN WORD...: what bash makes of the last word
    pattern=$1
    shift
    words=$(bash -c '. "$1/tools/scripts/completion.bash" && COMP_WORDS=("$1/ladder" "${@:2}") COMP_CWORD=$(($# - 1)) && _ladder && echo "${COMPREPLY[*]}"' - "$root" "$@")
    printf '%s\n' "$words" | grep -qE -- "$pattern" || fail "bash completes '$*' with: $words"
}
completes '^10-gpu8 11-' run 1
for command in $("$root/ladder" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p'); do
    completes "(^| )$command( |$)" "${command%?}"
done
for command in start check hint solution run picture debug reset export score; do
    completes "(^| )$command( |$)" lab "${command%?}"
done
tree=$tree_here

# ./ladder lab.
mkdir -p "$tree/build/bin"
program_lab() { printf '#!/bin/sh\necho "lab $LADDER_BUILD $*" >>"%s"; exit 7\n' "$log" >"$tree/build/bin/lab"; chmod +x "$tree/build/bin/lab"; }

for words in '' list 'start 01-row' 'score --json' --help 'check 01-row --seed 3'; do
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
gives 7 lab --yes reset 01-row # as the first word it is no command of lab
logged "^lab $tree/build reset 01-row$"
gives 7 --yes lab reset 01-row
logged "^lab $tree/build reset 01-row$"
gives 7 lab reset 01-row --yes # reset has one, too
logged "^lab $tree/build reset 01-row --yes$"
PATH="$bin:$stage/tools" "$tree/ladder" lab list >/dev/null 2>&-
status=$? called='ladder lab list 2>&-'
is 7
forget
ladder lab check
never_logged cmake # it is configured now
logged '^lab .* check$'

# ./ladder sim does the same, with other options.
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

# ./ladder test builds what is stale, runs CTest on all or on one label, and passes its status on.
forget
rm -r "$tree/build"
stub ctest <<'X'
case $* in
--print-labels) printf 'Test project x\nAll Labels:\n  01\n  cpu\n  front\n' ;;
*) echo "ctest $PWD $*" >>"$log"
    [ ! -f "$tree/red" ] || exit 8 ;;
esac
X

gives 0 test
logged '^cmake -S ' # nothing was configured yet
logged "^ctest $tree/build --output-on-failure -LE [\^][(]long[|]house[)][\$]\$"
forget
touch "$tree/stale"
gives 0 test cpu --yes
logged '^build '
logged '^ctest .* --output-on-failure -L \^cpu\$$'
step 01-one </dev/null
gives 0 test 1
logged '^ctest .* --output-on-failure -L \^01\$ -LE [\^][(]long[|]house[)][\$]$'
answers 2 "no step '77'; there are: 01-one$" test 77
rm "$tree/stale"
touch "$tree/red"
gives 8 test
gives 8 test front

forget
touch "$tree/stale"
for label in nosuch cp 'cpu|front' . ''; do
    gives 2 test "$label"
    never_logged '^build '
    says "no tests with the label '.*'; labels: 01 cpu front"
done
rm "$tree/stale"
answers 2 'no option --fast' test --fast
never_logged ctest

# A machine without a compiler: no test is run.
rm "$bin/gcc" "$bin/cc" "$tree/build/CMakeCache.txt"
gives 3 test
never_logged ctest
end
