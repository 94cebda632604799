#!/bin/sh
# SPDX-License-Identifier: MIT
# preload.sh INCLUDE: the preload library over a cuBLAS and a library that only say what they are called for (cublas.c
# and fakes.c). Needs the headers of the CUDA toolkit, in the folder INCLUDE, and no GPU.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
library=$here/../../../steps/20-library
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
fail() {
    cat "$work/says" 2>/dev/null
    echo "FAILED: $*"
    exit 1
}
compile() { cc -std=gnu11 -Wall -Wextra -Werror -isystem "$include" -I"$here/../../.." -I"$library" "$@" || fail "$*"; }
include=$1
cc -shared -fPIC "$here/cublas.c" -o "$work/libcublas.so.12" || fail "the stub"
compile -shared -fPIC -Wno-unused-parameter "$library/preload/preload.c" "$here/fakes.c" -Wl,--version-script="$library/preload/preload.map" -o "$work/faked.so"
compile "$here/taken.c" "$work/libcublas.so.12" -o "$work/taken"
LD_LIBRARY_PATH=$work LD_PRELOAD=$work/faked.so "$work/taken" >"$work/all" 2>"$work/says" || fail "the program"
uniq "$work/all" | diff "$here/taken.txt" - || fail "what was called"
[ "$(grep -c 'a product failed: a launch failed' "$work/says")" -eq 1 ] || fail "what it says about a failure"
grep -q ': 1016 of 1026 products taken over, 0 planned; 1 by cublasLt' "$work/says" || fail "what it says at the end"
