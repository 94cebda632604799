#!/bin/sh
# SPDX-License-Identifier: MIT
# aarch64.sh SCRATCH: builds the steps of the processor, the checker's tests and the simulated GPU's rules of counting for 64-bit
# ARM Linux with Debian's cross compiler, and runs them under QEMU (user mode). Skipped (77) where one of the two is missing.
# Programs on the simulated GPU are built only: for the terabytes of addresses that it reserves, QEMU takes 16 GB of memory.
# And simgpu/src/machine/machine_code.cpp, which looks at a race's instructions, decodes those of x86-64 only.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) build=$1/aarch64
command -v aarch64-linux-gnu-g++ >/dev/null ||
    { echo "skipped: no cross compiler (Debian: apt-get install g++-aarch64-linux-gnu)" && exit 77; }
emulator=$(command -v qemu-aarch64-static || command -v qemu-aarch64) ||
    { echo "skipped: no QEMU (Debian: apt-get install qemu-user-static)" && exit 77; }
mkdir -p "$build"
cat >"$build/toolchain.cmake" <<TEXT
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR "$emulator;-L;/usr/aarch64-linux-gnu")
TEXT
steps="01-cpu-naive 02-cpu-blocked 03-cpu-divide-conquer 04-cpu-strassen 05-cpu-winograd"
tests="02-cpu-blocked.f64 packed-team checker-cases checker-bounds 06-gpu-naive.sim simgpu_test_models"
# shellcheck disable=SC2086 # words
{
    cmake -S "$root" -B "$build" -DCMAKE_TOOLCHAIN_FILE="$build/toolchain.cmake" -DLADDER_CUDA=OFF -DLADDER_NATIVE=OFF \
        -DSIMGPU_NATIVE=OFF -DLADDER_DRAWERS=OFF && cmake --build "$build" -j 2 --target $steps $tests
} >"$build.log" 2>&1 || { tail -n 20 "$build.log"; echo "FAILED: it does not build for aarch64"; exit 1; }
run() { # PROGRAM OPTIONS...
    program=$1
    shift
    said=$("$emulator" -L /usr/aarch64-linux-gnu "$build/bin/$program" "$@" 2>&1) || {
        printf '%s\n' "$said" | tail -n 20
        echo "FAILED: $program $*"
        exit 1
    }
    echo "$program $*: $(printf "%s\n" "$said" | tail -n 1 | cut -c1-80)"
}
for step in $steps; do run "$step" --m 33 --n 47 --k 65 --untimed --quiet; done
# B packed and not packed, k in several panels, k cut for the threads; speed is not checked.
for shape in "61 103 1101" "20 90 130" "9 17 2070"; do
    # shellcheck disable=SC2086 # words
    set -- $shape
    run 02-cpu-blocked --variant packed --m "$1" --n "$2" --k "$3" --threads 3 --untimed --quiet
    run 02-cpu-blocked.f64 --precision f64 --variant packed --m "$1" --n "$2" --k "$3" --untimed --quiet
done
run packed-team
run checker-cases --variant right --quiet
run checker-bounds
run simgpu_test_models
