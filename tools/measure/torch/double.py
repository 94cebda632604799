#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""torch.matmul in double and in complex numbers, and solvers whose time goes into such products: a blocked Cholesky
factorization, PyTorch's own (of cuSOLVER), its eigenvalue solver, and the matrix sign function, with which spectral
divide-and-conquer solvers split a spectrum. A JSON line for each size with its time, and its error or residual. Run
it with LD_PRELOAD=libladder_gemm_preload.so LADDER_GEMM_TENSOR=1 and without: double.py [PROGRAM ...] [N ...]"""
import json
import math
import os
import statistics
import sys

import torch

RUNS = 5


def median_ms(work, runs=RUNS):
    """The median of the runs after one that loads kernels, and the result of the last."""
    times, result = [], None
    for _ in range(runs + 1):
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


def sampled_errors(a, b, c, count=16):
    """The errors of C = A B in count x count elements: of the real parts, and of the imaginary ones."""
    n, real, imaginary = a.shape[0], [], []
    some = [i * n // count for i in range(count)]
    for i in some:
        for j in some:
            row, column, value = a[i], b[:, j], c[i, j].item()
            if a.is_complex():
                row = torch.cat((row.real, row.imag))
                turned = torch.cat((column.imag, column.real))
                imaginary.append(abs(exact_minus(row, turned, value.imag)))
                column, value = torch.cat((column.real, -column.imag)), value.real
            real.append(abs(exact_minus(row, column, value)))
    return real, imaginary


def matmul(n, kind=torch.float64):
    torch.manual_seed(1)
    a, b = (torch.rand(2, n, n, device="cuda", dtype=torch.float64) * 2 - 1 for _ in range(2))
    a, b = (torch.complex(x[0], x[1]) if kind.is_complex else x[0] for x in (a, b))
    ms, c = median_ms(lambda: torch.matmul(a, b))
    errors = sum(sampled_errors(a, b, c, 8 if kind.is_complex else 16), [])
    return {"n": n, "ms_median": ms, "mean_error": sum(errors) / len(errors), "max_error": max(errors)}


def complex_matmul(n):
    return matmul(n, torch.complex128)


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


def factor_halves(a, smallest):
    """The same by halves: the product has half the order, so it is as large as it can be."""
    n, half = a.shape[0], a.shape[0] // 2
    if n <= smallest:
        return torch.linalg.cholesky(a)
    lower = torch.zeros_like(a)
    lower[:half, :half] = factor_halves(a[:half, :half], smallest)
    below = torch.linalg.solve_triangular(lower[:half, :half], a[half:, :half].T, upper=False).T
    lower[half:, :half] = below
    lower[half:, half:] = factor_halves(torch.addmm(a[half:, half:], below, below.T, alpha=-1), smallest)
    return lower


def positive(n):
    torch.manual_seed(2)
    m = torch.rand(n, n, device="cuda", dtype=torch.float64) * 2 - 1
    a = m @ m.T / n
    a.diagonal().add_(1)
    return a


def cholesky(n, block=4096, factorize=None):
    a = positive(n)
    ms, lower = median_ms(lambda: (factorize or factor)(a, block))
    x = torch.rand(n, device="cuda", dtype=torch.float64)
    residual = (a @ x - lower @ (lower.T @ x)).norm() / (a.norm() * x.norm())
    return {"n": n, "block": block, "ms_median": ms, "residual": residual.item()}


def cusolver_cholesky(n):
    return cholesky(n, None, lambda a, _: torch.linalg.cholesky(a))


def eigh(n):
    a = positive(n)
    ms, (values, vectors) = median_ms(lambda: torch.linalg.eigh(a), 1)
    x = torch.rand(n, device="cuda", dtype=torch.float64)
    residual = (a @ (vectors @ x) - vectors @ (values * x)).norm() / (a.norm() * x.norm())
    return {"n": n, "ms_median": ms, "residual": residual.item()}


def orthogonal(n):
    torch.manual_seed(3)
    return torch.linalg.qr(torch.rand(n, n, device="cuda", dtype=torch.float64) - 0.5).Q


def reflection(n):
    torch.manual_seed(3)
    v = torch.rand(n, 1, device="cuda", dtype=torch.float64) - 0.5
    return torch.eye(n, device="cuda", dtype=torch.float64) - 2 * (v @ v.T) / (v.T @ v)


def sign(n, vectors=orthogonal):
    """Newton and Schulz's iteration for a symmetric matrix with known eigenvectors."""
    q = vectors(n)
    values = torch.rand(n, device="cuda", dtype=torch.float64) * 0.7 + 0.3
    values[::2] *= -1

    def of(d):
        x = (q * d) @ q.T
        return (x + x.T) / 2

    def iterate(x):
        for steps in range(1, 30):
            square = x @ x
            missing = n - square.trace()  # the sum of 1 - s^2 over the eigenvalues s; all are 0 or more
            x = 1.5 * x - 0.5 * (x @ square)
            if missing < 1e-8:
                break
        return x, steps

    a = of(values)
    ms, (x, steps) = median_ms(lambda: iterate(a), 1)
    return {"n": n, "ms_median": ms, "steps": steps, "residual": ((x - of(values.sign())).norm() / n**0.5).item()}


PROGRAMS = {
    "torch.matmul": matmul,
    "torch.matmul complex": complex_matmul,
    "cholesky": cholesky,
    "cholesky by halves": lambda n: cholesky(n, factorize=factor_halves),
    "torch.linalg.cholesky": cusolver_cholesky,
    "sign": sign,
    "sign, nearly diagonal": lambda n: sign(n, reflection),
    "torch.linalg.eigh": eigh,
}

if __name__ == "__main__":
    names = [x for x in sys.argv[1:] if not x.isdigit()] or list(PROGRAMS)
    for size in [int(x) for x in sys.argv[1:] if x.isdigit()] or [4096, 8192, 16384]:
        for name in names:
            line = {"program": name, "precision": "f64"}
            line["preload"] = "ladder_gemm_preload" in os.environ.get("LD_PRELOAD", "")
            line["tensor"] = int(os.environ.get("LADDER_GEMM_TENSOR", "0"))
            line["measured_plans"] = "LADDER_GEMM_PLANS" in os.environ
            line.update(torch=torch.__version__, device=torch.cuda.get_device_name(), **PROGRAMS[name](size))
            print(json.dumps(line), flush=True)
