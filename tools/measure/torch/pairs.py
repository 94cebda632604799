#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Complex products and A A^T of libladder_gemm.so in each mode, timed alternately with cuBLAS's own, and their errors
at sampled elements: a JSON line for each. pairs.py LIBRARY [N | NxK ...], with NxK for A A^T of an N x K matrix"""
import ctypes
import json
import statistics
import sys

import torch
from double import sampled_errors

MODES = {"double": 0, "safe": 4, "exact": 1}


def numbers(n, k, kind):
    x = torch.rand(n, k, device="cuda", dtype=torch.float64) * 2 - 1
    return torch.complex(x, torch.rand_like(x) * 2 - 1) if kind == "zgemm" else x


def errors(kind, a, b, c):
    """The mean and the largest error of the real and the imaginary parts at sampled elements."""
    if kind == "dsyrk":
        b, c = a.T, c.tril() + c.tril(-1).T
    return {f"{what}_error{part}": of(x) for part, x in zip(("", "_imaginary"), sampled_errors(a, b, c, 6)) if x
            for what, of in (("mean", statistics.fmean), ("max", max))}


class Calls:
    """The calls of one shape, by name. Column-major: C^T = B^T A^T."""

    def __init__(self, library, blas, kind, n, k):
        torch.manual_seed(1)
        self.kind, self.library = kind, library
        self.a, self.b, self.c = numbers(n, k, kind), numbers(k, n, kind), numbers(n, n, kind)
        self.handle = ctypes.c_void_p()
        assert library.ladder_gemm_create(ctypes.byref(self.handle), None) == 0
        blas_handle = ctypes.c_void_p(torch.cuda.current_blas_handle())
        one, zero = ((ctypes.c_double * 2)(x, 0) for x in (1, 0))
        a, b, c = (ctypes.c_void_p(x.data_ptr()) for x in (self.a, self.b, self.c))
        product = (0, 0, n, n, n, one, b, n, a, n, zero, c, n)
        triangle = (1, 1, n, k, one, a, k, zero, c, n)  # of row-major C the lower one
        if kind == "zgemm":
            self.ways = {name: (getattr(blas, name), blas_handle, product) for name in ("cublasZgemm_v2", "cublasZgemm3m")}
            ours = library.ladder_zgemm, self.handle, product
        else:
            self.ways = {"cublasDsyrk_v2": (blas.cublasDsyrk_v2, blas_handle, triangle),
                         "cublasDgemm_v2": (blas.cublasDgemm_v2, blas_handle, (1, 0, n, n, k, one, a, k, a, k, zero, c, n))}
            ours = library.ladder_dsyrk, self.handle, triangle
        self.ways.update({f"ladder_{kind} {mode}": ours for mode in MODES})

    def run(self, way):
        function, handle, arguments = self.ways[way]
        if way.startswith("ladder"):
            assert self.library.ladder_gemm_set_double_mode(handle, MODES[way.split()[1]]) == 0, way
        assert function(handle, *arguments) == 0, way

    def timed(self, way):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        self.run(way)
        end.record()
        end.synchronize()
        return begin.elapsed_time(end)


def compare(library, blas, kind, n, k):
    calls, lines, times = Calls(library, blas, kind, n, k), {}, {}
    for way in calls.ways:
        calls.c.zero_()
        calls.run(way)
        lines[way] = errors(kind, calls.a, calls.b, calls.c)
        times[way] = []
    for _ in range(9 if n < 8192 else 3):
        for way in calls.ways:
            times[way].append(calls.timed(way))
    first = statistics.median(times[next(iter(calls.ways))])
    for way, ms in times.items():
        line = {"program": kind, "way": way, "n": n, "k": k, "ms_median": statistics.median(ms), "ms_min": min(ms), "ms_max": max(ms)}
        line.update(ratio=first / line["ms_median"], torch=torch.__version__, device=torch.cuda.get_device_name(), **lines[way])
        print(json.dumps(line), flush=True)
    library.ladder_gemm_destroy(calls.handle)


if __name__ == "__main__":
    torch.zeros(1, device="cuda").matmul(torch.zeros(1, device="cuda"))  # loads cuBLAS
    with open("/proc/self/maps", encoding="utf-8") as maps:
        path = next(line.split()[-1] for line in maps if "libcublas.so" in line)
    for size in sys.argv[2:] or ["1024", "2048", "4096", "8192", "16384"]:
        rows, _, terms = size.partition("x")
        for name in ("dsyrk",) if terms else ("zgemm", "dsyrk"):
            compare(ctypes.CDLL(sys.argv[1]), ctypes.CDLL(path), name, int(rows), int(terms or rows))
