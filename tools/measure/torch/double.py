#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""torch.matmul in double, and a blocked Cholesky factorization made of such products: a JSON line for each size
with its time, and its error or residual. Run it with LD_PRELOAD=libladder_gemm_preload.so LADDER_GEMM_TENSOR=1 and
without."""
import json
import math
import os
import statistics
import sys

import torch

RUNS = 5


def median_ms(work):
    """The median of RUNS runs after one that loads kernels, and the result of the last."""
    times, result = [], None
    for i in range(RUNS + 1):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        result = work()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end))
    return statistics.median(times[1:]), result


def exact_minus(row, column, value):
    """row times column, less the value. Of two parts of each number, products are exact in double, or so small that
    their rounding error does not count."""
    high, across = row.float().double(), column.float().double()
    low, below = row - high, column - across
    parts = torch.stack((high * across, high * below, low * across, low * below))
    return math.fsum(parts.flatten().tolist() + [-value])


def matmul(n):
    torch.manual_seed(1)
    a, b = (torch.rand(n, n, device="cuda", dtype=torch.float64) * 2 - 1 for _ in range(2))
    ms, c = median_ms(lambda: torch.matmul(a, b))
    some = range(0, n, n // 16)  # these rows and columns
    errors = [abs(exact_minus(a[i], b[:, j], c[i, j].item())) for i in some for j in some]
    return {"n": n, "ms_median": ms, "mean_error": sum(errors) / len(errors), "max_error": max(errors)}


def factor(a, block):
    """L of A = L L^T, in its lower triangle: the products of the last line take nearly all of the time."""
    n = a.shape[0]
    lower = a.clone()
    for i in range(0, n, block):
        j = min(i + block, n)
        lower[i:j, i:j] = torch.linalg.cholesky(lower[i:j, i:j])
        if j == n:
            break
        lower[j:, i:j] = torch.linalg.solve_triangular(lower[i:j, i:j], lower[j:, i:j].T, upper=False).T
        lower[j:, j:].addmm_(lower[j:, i:j], lower[j:, i:j].T, alpha=-1)
    return lower.tril_()


def cholesky(n, block=4096):
    torch.manual_seed(2)
    m = torch.rand(n, n, device="cuda", dtype=torch.float64) * 2 - 1
    a = m @ m.T / n
    del m
    a.diagonal().add_(1)
    ms, lower = median_ms(lambda: factor(a, block))
    x = torch.rand(n, device="cuda", dtype=torch.float64)
    residual = (a @ x - lower @ (lower.T @ x)).norm() / (a.norm() * x.norm())
    return {"n": n, "block": block, "ms_median": ms, "residual": residual.item()}


if __name__ == "__main__":
    for size in map(int, sys.argv[1:] or ["4096", "8192", "16384"]):
        for name, measure in (("torch.matmul", matmul), ("cholesky", cholesky)):
            line = {"program": name, "precision": "f64"}
            line["preload"] = "ladder_gemm_preload" in os.environ.get("LD_PRELOAD", "")
            line["tensor"] = int(os.environ.get("LADDER_GEMM_TENSOR", "0"))
            line.update(torch=torch.__version__, device=torch.cuda.get_device_name(), **measure(size))
            print(json.dumps(line), flush=True)
