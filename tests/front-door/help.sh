#!/bin/sh
# SPDX-License-Identifier: MIT
# The front door describes its commands, and refuses unknown ones.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2016
. "$(dirname "$0")/lib.sh"
complete_machine

gives 0 --help
for command in setup tour run test lab paper bench grade docs sim; do
    prints "^  $command "
done
prints 'Exit status: 0 right, 1 wrong result, 2 bad usage, 3 a resource is missing'
for command in setup tour run test paper bench grade docs; do
    gives 0 $command --help
    prints "^usage: ./ladder $command "
    silent_about '^  [a-z]' # no other command
    gives 0 --yes $command -h
done
for call in help -h 'setup --help' 'tour --help' 'test -h' 'docs --help' 'run --help'; do
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
PATH="$bin:$stage/tools" "$tree/ladder" --help >/dev/full 2>"$stage/err"
status=$? err=$(cat "$stage/err") called='ladder --help >/dev/full'
is 3
says 'standard output cannot be written'

gives 2
says '^usage: '
answers 2 "no command 'climb'; there are: setup tour run test lab paper bench grade docs" climb
gives 2 'tour|'
answers 2 "no command '06'; to run a step: ./ladder run 06" 06 --report
answers 2 "'--fast'" setup --fast
answers 2 "no option '--sizes'" tour --sizes 3
answers 2 '--n needs a value' tour --n
answers 2 "'one' and 'two'" test one two
[ ! -s "$log" ] || fail "something was set up or run: $(cat "$log")"
done_testing
