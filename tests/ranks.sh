#!/bin/sh
# SPDX-License-Identifier: MIT
# ranks.sh STATUS PATTERN RANKS PROGRAM [OPTIONS]: expect.sh on a program that starts RANKS ranks by
# mpirun. Skipped, with a line that says so, where there is no mpirun.
status=$1 pattern=$2 ranks=$3
shift 3
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
export OMP_WAIT_POLICY=passive
export ASAN_OPTIONS=detect_leaks=0 # MPI keeps what it has until the process ends
exec "$(dirname "$0")/expect.sh" "$status" "$pattern" "$@" --ranks "$ranks"
