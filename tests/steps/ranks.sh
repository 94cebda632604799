#!/bin/sh
# SPDX-License-Identifier: MIT
# ranks.sh STATUS PATTERN RANKS PROGRAM [OPTIONS]: expect.sh on a program of which mpirun starts RANKS processes. Skipped, with a
# line that says so, where there is no mpirun.
# ranks.sh log RANKS PROGRAM OPTIONS: the log of all messages is the same whether ranks are processes or threads.
# ranks.sh end SIGNAL STATUS PATTERN PROGRAM: rank 2 of four gets a signal in the middle of a run, which must end
# with this exit status before the limit of a wait is over for those that are not stopped, and with a line that matches.
case $1 in
log) what=log ranks=$2 && shift 2 ;;
end) what=end ranks=4 signal=$2 expected=$3 pattern=$4 && shift 4 ;;
*) what=expect status=$1 pattern=$2 ranks=$3 && shift 3 ;;
esac
for word in "$@"; do
    case $word in */22-*) program=$word && break ;; esac
done
if [ "$ranks" -gt 1 ] && ! command -v mpirun >/dev/null; then
    echo "skipped: mpirun is not installed (Debian: openmpi-bin libopenmpi-dev)"
    exit 77
fi
if [ "$ranks" -gt 1 ] && ! grep -q MPI_Init "$program"; then # it is a program of CMake's that was configured before
    echo "skipped: built without MPI; configure again where mpicc is installed (Debian: libopenmpi-dev)"
    exit 77
fi
# Open MPI asks before it starts ranks for root, and lets ranks share a processor.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
[ $what = end ] || export OMP_WAIT_POLICY=passive
export ASAN_OPTIONS=detect_leaks=0 # MPI keeps what it has until the process ends
mpirun="mpirun --oversubscribe --bind-to none -n $ranks"
[ "$ranks" -gt 1 ] || mpirun=
# shellcheck disable=SC2086 # mpirun's words
[ $what != expect ] || exec "$(dirname "$0")/../expect.sh" "$status" "$pattern" $mpirun "$@"
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
if [ $what = log ]; then
    $mpirun "$@" --messages --json >"$folder/processes" || exit 1
    "$@" --messages --json --ranks "$ranks" >"$folder/threads" || exit 1
    grep -q '"words"' "$folder/threads" || { echo "FAILED: the log is empty"; exit 1; }
    diff "$folder/processes" "$folder/threads" || { echo "FAILED: <: processes, >: threads"; exit 1; }
    echo "$(wc -l <"$folder/threads") messages, the same"
    exit
fi
output=$folder/output
# The limit includes the start, which takes seconds on a busy machine. Only a stopped process makes the test wait that long;
# any other end must come before it.
limit=120
[ "$signal" != STOP ] || limit=8
set -- --n 1000 --reps 51 --limit $limit
$mpirun "$program" "$@" >"$output" 2>&1 &
run=$!
children() { tr ' ' '\n' 2>/dev/null <"/proc/$1/task/$1/children" | grep .; } # a line each
# The ranks have met when this line is there, and multiply for a minute from now on.
tries=0
while ! grep -q 'messages by MPI' "$output" && [ $tries -lt 200 ] && kill -0 $run; do
    sleep 0.2
    tries=$((tries + 1))
done
rank=
for process in $(children $run); do
    tr '\0' '\n' <"/proc/$process/environ" | grep -qx OMPI_COMM_WORLD_RANK=2 && rank=$process
done
[ -n "$rank" ] || { echo "FAILED: rank 2 was not found"; cat "$output"; kill $run; exit 1; }
sleep 0.5

kill -"$signal" "$rank"
wait $run
status=$?

cat "$output"
echo "status $status"
[ $status -eq "$expected" ] || { echo "FAILED: status $status instead of $expected"; exit 1; }
[ "$signal" = STOP ] || ! grep -q ': waited ' "$output" || { echo "FAILED: a rank had to wait for the limit"; exit 1; }
grep -Eq "$pattern" "$output" || { echo "FAILED: no line matches '$pattern'"; exit 1; }
# No process remains.
tries=0
while kill -0 "$rank" 2>/dev/null && [ $tries -lt 50 ]; do
    sleep 0.2
    tries=$((tries + 1))
done
[ $tries -lt 50 ] || { echo "FAILED: process $rank is still there"; kill -KILL "$rank"; exit 1; }
