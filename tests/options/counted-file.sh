#!/usr/bin/env bash
# counted-file.sh PROGRAM: a counted run, which multiplies other operands, writes the same C to --output.
set -e
"$1" --variant coalesced --n 20 --reps 0 --count --output file:counted.npy
"$1" --variant coalesced --n 20 --reps 0 --no-count --output file:not-counted.npy
cmp counted.npy not-counted.npy
