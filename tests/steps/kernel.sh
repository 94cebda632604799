#!/bin/sh
# SPDX-License-Identifier: MIT
# kernel.sh KERNEL PROGRAM OPTIONS...: with LADDER_KERNEL=KERNEL step 02's program reports this kernel and no
# other, and is right; with "best" and no LADDER_KERNEL it reports the best one that /proc/cpuinfo allows.
# Exit status 77, which skips the test, where the processor cannot run the kernel.
wish=$1
shift
flags=$(sed -n 's/^flags[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
can() { for flag in "$@"; do case " $flags " in *" $flag "*) ;; *) return 1 ;; esac; done; }
runs() {
    case $1 in
    avx512) can avx512f avx512dq avx512bw avx512vl ;;
    avx2) can avx2 fma ;;
    portable) ;;
    esac
}
unset LADDER_KERNEL
export LADDER_CALL=0 # all threads, however small the product
kernel=$wish
if [ "$wish" = best ]; then
    for kernel in avx512 avx2 portable; do runs $kernel && break; done
else
    LADDER_KERNEL=$wish
    export LADDER_KERNEL
fi
runs "$kernel" || { echo "skipped: this processor cannot run the kernel $kernel"; exit 77; }
case $kernel in
avx512) says='^AVX-512 kernel' ;;
avx2) says='^AVX2 kernel' ;;
*) says='^portable kernel' ;;
esac
exec "$(dirname "$0")/../expect.sh" 0 "$says" "$@"
