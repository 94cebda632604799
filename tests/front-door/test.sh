#!/bin/sh
# SPDX-License-Identifier: MIT
# ./ladder test: builds what is stale, runs CTest on all or on one label, passes its status on.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2016
. "$(dirname "$0")/lib.sh"
complete_machine
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
answers 2 "no step '77'; there are: 01-one " test 77
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
done_testing
