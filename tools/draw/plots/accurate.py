#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Step 24's picture, as SVG. Above: levels against the mean error divided by the classical product's, predicted and measured on a processor
(docs/results/epyc-2/24-errors.jsonl). Below: time against mean error on a GPU, in float and in double, from DIR/24-gpu.jsonl, the
fastest rows of step 21 from DIR/21-gpu.jsonl, and step 23's from DIR/23-floats.jsonl and DIR/23-gpu.jsonl; a line through what
nothing beats in both. DIR is docs/results/h200 unless told."""
import sys

import style

# With the average growth of a level that `24-accurate --tables` prints.
METHODS = ("winograd", "Winograd", 1.87), ("strassen", "Strassen", 1.41), ("dps", "Dumas, Pernet, Sedoglavic", 1.19)
SIZES = 4096, 8192, 16384


def draw_levels(axes, rows):
    for color, (method, name, growth) in zip(style.COLORS, METHODS):
        points = [(0, 1)] + sorted((row.levels, row.error_ratio) for row in rows
                                   if row.variant == method and row.input == "uniform" and not row.copies)
        axes.plot(*zip(*points), "o-", color=color, linewidth=2, label=name)
        axes.plot([level for level, _ in points], [growth ** level for level, _ in points], ":", color=color, linewidth=2)
    axes.plot([], [], ":", color=style.TEXT, linewidth=2, label="predicted")
    axes.set_title(style.wrapped(f"n = {rows[0].n}, {rows[0].device}"))
    axes.set(xlabel="levels", ylabel="mean error, classical product = 1")
    style.logarithmic(axes.yaxis)
    style.ticks(axes, range(max(row.levels for row in rows) + 1))
    axes.legend(loc="upper left")


def draw_times(axes, precision, rows, others):
    vendor = next(row for row in rows if row.variant == "cublas")
    shown = list(rows)
    for color, (method, name, _) in zip(style.COLORS, METHODS):
        points = sorted((row.levels, row.ms_median, row.mean_error) for row in rows
                        if row.variant == method and row.ms_median < 1.1 * vendor.ms_median)
        if points:
            axes.plot([point[1] for point in points], [point[2] for point in points], "o-", color=color, linewidth=2, label=name)
            for level, time, error in points:
                axes.annotate(str(level), (time, error), textcoords="offset points", xytext=(4, 4))
    axes.plot(vendor.ms_median, vendor.mean_error, "s", color=style.TEXT, label="cuBLAS")
    for mark, color, name, more in others:
        if more:
            axes.plot([row.ms_median for row in more], [row.mean_error for row in more], mark, color=color, label=name)
            shown += more
    best = []  # what nothing beats in both
    for row in sorted(shown, key=lambda row: (row.ms_median, row.mean_error)):
        if not best or row.mean_error < best[-1].mean_error:
            best.append(row)
    axes.plot([row.ms_median for row in best], [row.mean_error for row in best], "o-", color="#f3e2b3", linewidth=9, markersize=14,
              zorder=0, label="the frontier")
    axes.set_title(style.wrapped(f"{precision}, n = {vendor.n}, {vendor.device}"))
    axes.set(xlabel="ms; a number is the levels", ylabel="mean error", xlim=(0, None))
    style.logarithmic(axes.yaxis)


def main():
    asked = style.options(__doc__, f"{style.ROOT}/docs/results/h200", f"{style.ROOT}/steps/24-accurate/24-errors.svg")
    errors = [row for row in style.rows_of(f"{style.ROOT}/docs/results/epyc-2/24-errors.jsonl")
              if row.leaf == "openblas" and row.n == 512]

    def rows_of(n, precision, name, *variants):
        return [row for row in style.rows_of(f"{asked.results}/{name}.jsonl") if row.n == n and row.precision == precision
                and row.numbers in (None, "uniform") and not row.data and row.variant in variants]

    panels = [(n, precision) for precision in ("f32", "f64") for n in SIZES if rows_of(n, precision, "24-gpu", "cublas")]
    if not errors or not panels:
        return style.resource(f"there are no measured errors in {asked.results}")
    figure, axes = style.figure(720, 300 + 270 * len(panels), 330 + 290 * len(panels), 1 + len(panels))
    draw_levels(axes[0], errors)
    for i, (n, precision) in enumerate(panels, 1):
        exact = "23-floats" if precision == "f32" else "23-gpu"
        draw_times(axes[i], "float" if precision == "f32" else "double",
                   rows_of(n, precision, "24-gpu", "cublas", "winograd", "dps"),
                   [("^", style.COLORS[3], "tensor cores (step 21)", rows_of(n, precision, "21-gpu", "fp16-beside", "fp16")),
                    ("D", style.COLORS[4], "exact (step 23)", rows_of(n, precision, exact, "residues"))])
    axes[1].legend(loc="upper left")
    style.save(figure, asked.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
