# SPDX-License-Identifier: MIT
# gdb in kernels on the simulated GPU: the indices of the thread that has stopped have their names.
set confirm off
set pagination off
set breakpoint pending on
set print thread-events off
macro define threadIdx (*(const uint3 *)simgpu_builtins.thread_idx)
macro define blockIdx (*(const uint3 *)simgpu_builtins.block_idx)
macro define blockDim (*(const uint3 *)simgpu_builtins.block_dim)
macro define gridDim (*(const uint3 *)simgpu_builtins.grid_dim)
