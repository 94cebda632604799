#!/bin/sh
# SPDX-License-Identifier: MIT
# ./ladder test: builds what is stale, runs CTest on all or on one label, passes its status on.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2016
. "$(dirname "$0")/lib.sh"
complete_machine
stub ctest <<'X'
case $* in
--print-labels) printf 'Test project x\nAll Labels:\n  cpu\n  front\n' ;;
*) echo "ctest $PWD $*" >>"$log"
    [ ! -f "$tree/red" ] || exit 8 ;;
esac
X

ladder test
is 0
logged '^cmake -S ' # nothing was configured yet
logged "^ctest $tree/build --output-on-failure -LE [\^]long[\$]\$"
forget
touch "$tree/stale"
ladder test cpu --yes
is 0
logged '^build '
logged '^ctest .* --output-on-failure -L \^cpu\$$'
rm "$tree/stale"
touch "$tree/red"
ladder test
is 8
ladder test front
is 8

forget
touch "$tree/stale"
for label in nosuch cp 'cpu|front' . ''; do
    ladder test "$label"
    is 2
    never_logged '^build '
    says "no tests with the label '.*'; labels: cpu front"
done
rm "$tree/stale"
ladder test --fast
is 2
says 'no option --fast'
never_logged ctest

# A machine without a compiler: no test is run.
rm "$bin/gcc" "$bin/cc" "$tree/build/CMakeCache.txt"
ladder test
is 3
never_logged ctest
done_testing
