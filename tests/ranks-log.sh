#!/bin/sh
# SPDX-License-Identifier: MIT
# ranks-log.sh RANKS PROGRAM OPTIONS: the log of all messages is the same whether ranks are processes or threads.
ranks=$1
shift
for word in "$@"; do
    case $word in */22-*) program=$word && break ;; esac
done
if ! command -v mpirun >/dev/null; then
    echo "skipped: mpirun is not installed (Debian: openmpi-bin libopenmpi-dev)"
    exit 77
fi
if ! grep -q MPI_Init "$program"; then # it is a program of CMake's that was configured before
    echo "skipped: built without MPI; configure again where mpicc is installed (Debian: libopenmpi-dev)"
    exit 77
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
export OMP_WAIT_POLICY=passive
export ASAN_OPTIONS=detect_leaks=0 # MPI keeps what it has until the process ends
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
"$@" --messages --json --ranks "$ranks" >"$folder/processes" || exit 1
"$@" --messages --json --ranks "$ranks" --one-process >"$folder/threads" || exit 1
grep -q '"words"' "$folder/threads" || { echo "FAILED: the log is empty"; exit 1; }
diff "$folder/processes" "$folder/threads" || { echo "FAILED: <: processes, >: threads"; exit 1; }
echo "$(wc -l <"$folder/threads") messages, the same"
