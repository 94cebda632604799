#!/bin/sh
# SPDX-License-Identifier: MIT
# consumer.sh BUILD: installs the library from this build folder, and uses it as a stranger would, by
# find_package and by pkg-config, from C and from C++; at last as chapter 20 shows it, with the chapter's own lines of C, sh
# and CMake. Only ladder_* functions may be visible.
build=$1
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $*"
    exit 1
}
cmake --install "$build" --prefix "$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; fail install; }
library=$(find "$work/prefix" -name 'libladder_gemm.so')
[ -n "$library" ] || fail "no libladder_gemm.so"
objdump -p "$library" | grep -q 'SONAME *libladder_gemm.so.2$' || fail "SONAME"
others=$(nm -D --defined-only "$library" | awk '$2 != "A" { print $3 }' | sed 's/@.*//' |
    grep -Ev "^ladder_(([sdz]gemm|dsyrk|[sd]gemm_strided_batched)(_64)?|[sd]gemm_row_major|sgemm_prepared|gemm_[a-z_]*)\$")
[ -z "$others" ] || fail "visible, too: $others"
preload=$(find "$work/prefix" -name 'libladder_gemm_preload.so')
visible=$(nm -D --defined-only "$preload" | awk '{ print $3 }' | sort | tr '\n' ' ')
[ "$visible" = "cublasDestroy_v2 cublasDgemm_v2 cublasDgemm_v2_64 cublasDsyrk_v2 cublasDsyrk_v2_64 cublasGemmEx cublasGemmEx_64 cublasLtMatmul cublasSgemmStridedBatched cublasSgemmStridedBatched_64 cublasSgemm_v2 cublasSgemm_v2_64 cublasZgemm_v2 cublasZgemm_v2_64 " ] || fail "preload shows: $visible"

cmake -S "$here" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/log" 2>&1 &&
    cmake --build "$work/cmake" >>"$work/log" 2>&1 || { cat "$work/log"; fail find_package; }
says=$("$work/cmake/consumer") || fail "the program of find_package"
echo "$says"
[ "$("$work/cmake/consumer-static")" = "$says" ] || fail "the program with the static library"
objdump -p "$work/cmake/consumer-static" | grep -q 'NEEDED.*ladder' && fail "it needs the shared library"

PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name ladder_gemm.pc)")
export PKG_CONFIG_PATH
if command -v pkg-config >/dev/null; then
    version=$(pkg-config --modversion ladder_gemm)
    [ "ladder_gemm ${version%.0}: ${says#*: }" = "$says" ] || fail "pkg-config says version $version, the header: $says"
    [ -e "$library.$version" ] || fail "no $library.$version"
    # shellcheck disable=SC2046
    cc -std=c11 $(pkg-config --cflags ladder_gemm) "$here/consumer.c" -o "$work/static" -l:libladder_gemm.a \
        $(pkg-config --static --libs ladder_gemm | sed 's/-lladder_gemm//') || fail "pkg-config, static"
    "$work/static" || fail "the static program of pkg-config"
    flags=$(pkg-config --cflags ladder_gemm | sed 's/-I\([^ ]*cuda[^ ]*\)/-isystem \1/')
    # shellcheck disable=SC2046,SC2086
    cc -std=c11 -Wall -Wextra -Wpedantic -Werror $flags "$here/consumer.c" -o "$work/c" \
        $(pkg-config --libs ladder_gemm) || fail "pkg-config, C"
    # shellcheck disable=SC2046,SC2086
    c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror $flags -x c++ "$here/consumer.c" -o "$work/cxx" \
        $(pkg-config --libs ladder_gemm) || fail "pkg-config, C++"
    LD_LIBRARY_PATH=$(dirname "$library"):$LD_LIBRARY_PATH "$work/c" || fail "the program of pkg-config"
fi

# With the preload library and a cuBLAS that makes no handle, each call reaches cuBLAS unchanged. A call with 64-bit
# arguments that fit into 32 bits reaches the function with 32-bit arguments.
if command -v pkg-config >/dev/null; then
    cc -shared -fPIC "$here/cublas.c" -o "$work/libcublas.so.12" || fail "the stub"
    # shellcheck disable=SC2086
    cc -std=gnu11 -Wall -Wextra -Werror $flags "$here/taken.c" -o "$work/calls" "$work/libcublas.so.12" ||
        fail "the program for preload"
    LD_LIBRARY_PATH=$work "$work/calls" | sed 's/_64 2040$/ 2040/' >"$work/direct"
    LD_LIBRARY_PATH=$work LD_PRELOAD=$preload "$work/calls" >"$work/calls.out" 2>"$work/calls.err" ||
        { cat "$work/calls.out" "$work/calls.err"; fail "a call under preload"; }
    diff "$work/direct" "$work/calls.out" || fail "under preload other functions were called"
    [ "$(grep -c "cuBLAS computes all products: [a-zA-Z]" "$work/calls.err")" -eq 1 ] ||
        { cat "$work/calls.err"; fail "preload does not say why it made no handle"; }
    grep -q ': 0 of [0-9]* products taken over' "$work/calls.err" || { cat "$work/calls.err"; fail "what preload says"; }
fi

# With the chapter's own blocks: block LANGUAGE prints those that come from no source.
block() {
    awk -v fence="\`\`\`$1" '/^<!-- code/ { shown = 1 } /^<!-- end/ { shown = 0 }
        /^```$/ { inside = 0 } inside { print } $0 == fence && !shown { inside = 1 }' "$here/../../../steps/20-library/README.md"
}
mkdir "$work/stranger" && cd "$work/stranger" || exit 1
{
    cat <<'C'
#include <cuda_runtime.h>
#include <ladder_gemm.h>
#include <stdio.h>
int main(void)
{
    int m = 64, n = 64, k = 64, lda = m, ldb = k, ldc = m, devices = 0;
    float alpha = 1, beta = 0, *A = NULL, *B = NULL, *C = NULL;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
        return puts("the chapter's program: no GPU") < 0;
    cudaMalloc((void **)&A, 4 * 64 * 64), cudaMalloc((void **)&B, 4 * 64 * 64), cudaMalloc((void **)&C, 4 * 64 * 64);
    cudaMemset(A, 0, 4 * 64 * 64), cudaMemset(B, 0, 4 * 64 * 64);
C
    block c | sed 's/^ladder_gemm_destroy(gemm);$//'
    cat <<'C'
    struct ladder_done done = ladder_gemm_last(gemm);
    printf("the chapter's program: %s\n", done.ran.variant);
    ladder_gemm_destroy(gemm);
    return cudaDeviceSynchronize() != cudaSuccess;
}
C
} >program.c
grep -q ladder_sgemm_prepared program.c || fail "the chapter shows other C than this test knows: $(cat program.c)"
block cmake >CMakeLists.txt
HOME=$work cmake --install "$build" --prefix "$work/ladder" >"$work/log" 2>&1 || { cat "$work/log"; fail install; }
if command -v pkg-config >/dev/null; then
    block sh | grep -E '^(export PKG|cc )' >lines.sh
    [ "$(wc -l <lines.sh)" -eq 2 ] || fail "the chapter's lines: $(cat lines.sh)"
    (export HOME="$work" && . ./lines.sh && ./program) || fail "the chapter's program by pkg-config"
fi
cmake -S . -B b -DCMAKE_PREFIX_PATH="$work/ladder" >"$work/log" 2>&1 && cmake --build b >>"$work/log" 2>&1 ||
    { cat "$work/log"; fail "the chapter's CMakeLists.txt"; }
./b/program || fail "the chapter's program by CMake"
