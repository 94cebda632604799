#!/bin/sh
# SPDX-License-Identifier: MIT
# installed.sh BUILD CMAKE PROGRAM.cu: installs the simulated GPU, moves it, and compiles in steps as with nvcc.
# PROGRAM has a fault, which must be named in its own lines.
set -e
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$2" --install "$1" --component simgpu --prefix "$scratch/first" >/dev/null
mv "$scratch/first" "$scratch/moved"
CMAKE_GENERATOR=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$1/CMakeCache.txt") # make may be missing, or Ninja
export CMAKE_GENERATOR
cat >"$scratch/a.cu" <<'END'
#include <cooperative_groups/reduce.h>
__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x; }
void run(int *x) { fill<<<1, 64>>>(x); }
END
cat >"$scratch/b.cpp" <<'END'
#include <cuda_runtime.h>
#if defined(THREADS) && !defined(_OPENMP)
#error "-fopenmp is lost"
#endif
void run(int *x);
int main()
{
    int *x, h[64];
    cudaMalloc(&x, 256);
    run(x);
    cudaMemcpy(h, x, 256, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return h[63] != 63;
}
END
cd "$scratch"
moved/bin/simgpu -lineinfo --std=c++17 -MMD -MF a.d -dc a.cu -o a.o
ar rcs libparts.a a.o
moved/bin/simgpu --x cu -std=c++11 -Xcompiler=-fopenmp -DTHREADS -c b.cpp # into b.o, as nvcc does
moved/bin/simgpu -lineinfo b.o libparts.a -o program
SIMGPU_JSON=report.json ./program
grep -q '^{"model":"modern"' report.json # as the program itself says without an option
# A CMake project finds it, and builds the same program.
cat >"$scratch/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(mine LANGUAGES C)
add_library(part STATIC part.c)
find_package(simgpu REQUIRED)
simgpu_executable(mine a.cu b.cpp LIBRARIES part m)
END
echo 'int part(void) { return 1; }' >part.c
"$2" -S . -B made -DCMAKE_PREFIX_PATH="$scratch/moved" >/dev/null
"$2" --build made >/dev/null
made/mine
if said=$(moved/bin/simgpu "$3" 2>&1); then
    echo "the fault is not found: $said"
    exit 1
fi
case $said in
*streams_managed_early.cu:12:\ fault:\ stream-race*) ;;
*) echo "said: $said"; exit 1 ;;
esac
