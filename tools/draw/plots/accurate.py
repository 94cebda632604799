#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Step 24's picture, as SVG. Above: levels against the mean error divided by the classical product's, on a processor
(docs/results/epyc-2/24-errors.jsonl). Below: time against mean error on a GPU, from DIR/24-gpu.jsonl, and the fastest rows of
step 21 from DIR/21-gpu.jsonl; DIR is docs/results/h200 unless told."""
import sys

import style

METHODS = ("winograd", "Winograd"), ("strassen", "Strassen"), ("dps", "Dumas, Pernet, Sedoglavic")
N = 16384


def draw_levels(axes, rows):
    for color, (method, name) in zip(style.COLORS, METHODS):
        points = sorted((row.levels, row.error_ratio) for row in rows
                        if row.variant == method and row.input == "uniform" and not row.copies)
        axes.plot(*zip(*points), "o-", color=color, linewidth=2, label=name)
    axes.set_title(style.wrapped(f"n = {rows[0].n}, {rows[0].device}"))
    axes.set(xlabel="levels", ylabel="mean error, classical product = 1", ylim=(0, None))
    style.ticks(axes, sorted({row.levels for row in rows}))
    axes.legend(loc="upper left")


def draw_times(axes, rows, tensor):
    for color, (method, name) in zip(style.COLORS, METHODS):
        points = sorted((row.levels, row.ms_median, row.mean_error) for row in rows if row.variant == method)
        if points:
            axes.plot([point[1] for point in points], [point[2] for point in points], "o-", color=color, linewidth=2, label=name)
            for level, time, error in points:
                axes.annotate(str(level), (time, error), textcoords="offset points", xytext=(6, -4))
    vendor = next(row for row in rows if row.variant == "cublas")
    axes.plot(vendor.ms_median, vendor.mean_error, "s", color=style.TEXT, label="cuBLAS")
    if tensor:
        axes.plot([row.ms_median for row in tensor], [row.mean_error for row in tensor], "^", color=style.COLORS[3],
                  label="tensor cores (step 21)")
    axes.set_title(style.wrapped(f"n = {N}, {vendor.device}"))
    axes.set(xlabel="ms; a number is the levels", ylabel="mean error", xlim=(0, None))
    style.logarithmic(axes.yaxis)
    axes.legend(loc="upper left")


def main():
    asked = style.options(__doc__, f"{style.ROOT}/docs/results/h200", f"{style.ROOT}/steps/24-accurate/24-errors.svg")
    errors = [row for row in style.rows_of(f"{style.ROOT}/docs/results/epyc-2/24-errors.jsonl")
              if row.leaf == "openblas" and row.n == 512 and row.levels <= 4]
    rows = [row for row in style.rows_of(f"{asked.results}/24-gpu.jsonl")
            if row.n == N and row.precision == "f32" and row.numbers == "uniform"]
    tensor = [row for row in style.rows_of(f"{asked.results}/21-gpu.jsonl")
              if row.n == N and row.variant == "fp16-beside" and not row.data]
    if not errors or not rows:
        return style.resource(f"there are no measured errors in {asked.results}")
    figure, axes = style.figure(720, 820, 860, 2)
    draw_levels(axes[0], errors)
    draw_times(axes[1], rows, tensor)
    style.save(figure, asked.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
