#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""torch.matmul in float on the GPU: a JSON line for each size with its time and error. Knows nothing of
ladder_gemm; run it with LD_PRELOAD=libladder_gemm_preload.so and without."""
import json
import os
import statistics
import sys

import torch


def measure(n, runs=9):
    torch.manual_seed(1)
    a = torch.rand(n, n, device="cuda") * 2 - 1
    b = torch.rand(n, n, device="cuda") * 2 - 1
    times = []
    for i in range(runs + 2):  # the first ones warm up, and find a plan
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        c = torch.matmul(a, b)
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end))
    first, times = times[0], times[2:]
    mean = largest = 0.0
    rows = 1024  # the exact product in strips: it takes twice the memory
    wide = b.double()
    for i in range(0, n, rows):
        error = (c[i : i + rows].double() - a[i : i + rows].double() @ wide).abs()
        mean += error.sum().item() / n / n
        largest = max(largest, error.max().item())
    return {
        "program": "torch.matmul",
        "preload": "ladder_gemm_preload" in os.environ.get("LD_PRELOAD", ""),
        "torch": torch.__version__,
        "device": torch.cuda.get_device_name(),
        "n": n,
        "levels_at_most": int(os.environ.get("LADDER_GEMM_LEVELS", "6")),
        "tensor": int(os.environ.get("LADDER_GEMM_TENSOR", "0")),
        "first_ms": first,
        "ms_median": statistics.median(times),
        "ms_min": min(times),
        "mean_error": mean,
        "max_error": largest,
    }


if __name__ == "__main__":
    for size in sys.argv[1:] or ["2048", "4096", "8192", "16384"]:
        print(json.dumps(measure(int(size))), flush=True)
