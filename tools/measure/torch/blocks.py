#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Steps of training two transformer blocks of width 4096 in float on 4096 tokens: a JSON line with the time of a step
and the losses. It knows nothing of ladder_gemm; run it with LD_PRELOAD=libladder_gemm_preload.so and without. blocks.py
[plain] [bias]: with biases PyTorch multiplies by cublasLt in the forward pass, unless DISABLE_ADDMM_CUDA_LT=1."""
import json
import os
import statistics
import sys

import torch
from torch import nn

WIDTH, HEADS, BATCH, LENGTH, STEPS = 4096, 32, 2, 2048, 8


class Block(nn.Module):
    def __init__(self, bias):
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(2))
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH, bias=bias), nn.Linear(WIDTH, WIDTH, bias=bias)
        self.wide, self.back = nn.Linear(WIDTH, 4 * WIDTH, bias=bias), nn.Linear(4 * WIDTH, WIDTH, bias=bias)

    def forward(self, x):
        q, k, v = (y.unflatten(-1, (HEADS, -1)).transpose(1, 2) for y in self.qkv(self.norms[0](x)).chunk(3, -1))
        seen = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(seen.transpose(1, 2).flatten(2))
        return x + self.back(nn.functional.gelu(self.wide(self.norms[1](x))))


def train(bias):
    torch.manual_seed(1)
    with torch.device("cuda"):
        model = nn.Sequential(Block(bias), Block(bias))
    x, target = (torch.randn(BATCH, LENGTH, WIDTH, device="cuda") for _ in range(2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    times, losses = [], []
    for _ in range(STEPS):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), target)
        loss.backward()
        optimizer.step()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end))
        losses.append(loss.item())
    return {"ms_median": statistics.median(times[2:]), "ms_min": min(times[2:]), "first_ms": times[0], "losses": losses}


if __name__ == "__main__":
    for kind in sys.argv[1:] or ["plain"]:
        print(json.dumps({
            "program": "two blocks",
            "bias": kind == "bias",
            "cublaslt": kind == "bias" and os.environ.get("DISABLE_ADDMM_CUDA_LT") != "1",
            "preload": "ladder_gemm_preload" in os.environ.get("LD_PRELOAD", ""),
            "tensor": int(os.environ.get("LADDER_GEMM_TENSOR", "0")),
            "torch": torch.__version__,
            "device": torch.cuda.get_device_name(),
            **train(kind == "bias"),
        }), flush=True)
