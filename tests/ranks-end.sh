#!/bin/sh
# ranks-end.sh KILL|STOP PROGRAM: one of four ranks dies, or stops to answer, in the middle of a run. The
# whole run must end with status 3 within 30 seconds, and name the rank.
signal=$1 program=$2
if ! command -v mpirun >/dev/null; then
    echo "skipped: mpirun is not installed (Debian: openmpi-bin libopenmpi-dev)"
    exit 77
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
export ASAN_OPTIONS=detect_leaks=0 # MPI keeps what it has until the process ends
output=$(mktemp) || exit 1
trap 'rm -f "$output"' EXIT
"$program" --ranks 4 --n 2000 --reps 51 --limit 4 >"$output" 2>&1 &
run=$!
# The ranks are the children of mpirun, which is the child of what we have started.
rank='' tries=0
while [ -z "$rank" ] && [ $tries -lt 100 ]; do
    sleep 0.2
    tries=$((tries + 1))
    mpirun=$(cat /proc/$run/task/$run/children 2>/dev/null) || break
    for process in $mpirun; do
        for child in $(cat "/proc/$process/task/$process/children"); do
            tr '\0' '\n' <"/proc/$child/environ" 2>/dev/null | grep -qx OMPI_COMM_WORLD_RANK=2 && rank=$child
        done
    done
done
[ -n "$rank" ] || { echo "FAILED: rank 2 was not found"; cat "$output"; kill $run; exit 1; }
# The ranks have met, and multiply for a minute from now on.
while ! grep -q 'messages by MPI' "$output" && [ $tries -lt 200 ]; do
    sleep 0.2
    tries=$((tries + 1))
done
sleep 1
begun=$(date +%s)
kill -"$signal" "$rank"
wait $run
status=$?
seconds=$(($(date +%s) - begun))
kill -KILL "$rank" 2>/dev/null # a stopped one
cat "$output"
echo "status $status after $seconds s"
[ $status -eq 3 ] || { echo "FAILED: status $status instead of 3"; exit 1; }
[ $seconds -le 30 ] || { echo "FAILED: $seconds seconds instead of 30 at most"; exit 1; }
case $signal in
KILL) pattern='rank 2 .*(died|exited on signal 9)' ;; # we say it, or mpirun is faster
*) pattern='waited 4 s for rank [0-9]' ;;
esac
grep -Eq "$pattern" "$output" || { echo "FAILED: no line matches '$pattern'"; exit 1; }
