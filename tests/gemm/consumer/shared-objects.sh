#!/bin/sh
# SPDX-License-Identifier: MIT
# shared-objects.sh LIBRARY.a: the library has no writable object that all handles share. Allowed: what nvcc
# makes for each kernel and writes when the program starts, or under a lock of the compiler's; what each thread has separately (TLS); tables that only the loader writes (.data.rel.ro).
objects=$(nm --demangle --format=sysv "$1") || exit 1
shared=$(echo "$objects" | awk -F'|' '$3 ~ /[bBdDCgGsS]/ && $4 !~ /TLS/ && $7 !~ /[.]data[.]rel[.]ro|nvFatBinSegment/ &&
    $1 !~ /__cudaFatCubinHandle|__device_stub__|^__fatbinwrap/ { print $1 }')
count=$(echo "$objects" | grep -c ladder_sgemm)
[ "$count" -gt 0 ] || { echo "FAILED: nm shows no ladder_sgemm in $1"; exit 1; }
[ -z "$shared" ] || { echo "FAILED: handles share:" && echo "$shared"; exit 1; }
