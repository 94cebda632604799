#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Time against mean error of ways to multiply two float matrices, at n = 8192 and 16384, the frontier marked; and below it,
the error without levels over n. As SVG. DIR (docs/results/h200 by default) has 21-gpu.jsonl (21-tensor-cores --rungs --json) and, if
it is to be seen, step 19's times and errors, 24-gpu.jsonl (24-gpu --frontier --json)."""
import os
import sys

import style

# In the key's order: its name there, its colour, and where its labels are: characters to the right, and up.
WAYS = {
    "cublasSgemm": ("cublasSgemm", "#222222", -4, 0.9), "ffma": ("step 19, FFMA", "#8c564b", 1.1, 0.3),
    "tf32": ("tf32", "#e69f00", 0.8, 0.8), "fp16x3": ("fp16x3", "#cc79a7", 0.8, 0.3),
    "fp16": ("fp16", "#0072b2", 0.9, -0.5),
    "fp16-beside": ("fp16-beside", "#003f66", -0.9, 0.5), "fp16-mma": ("fp16-mma", "#6fb0d6", 0.4, -0.8),
    "int8": ("int8", "#009e73", -1.1, 0),
    "int8-mma": ("int8-mma", "#6fc7b0", 1.1, 0),
}
NAMED = "cublasSgemm", "tf32", "fp16x3"  # one point, with its name
OVER_N = "cublasSgemm", "tf32", "fp16x3", "fp16", "int8"
PANELS = {8192: ((2.5, 30), (3, 4, 5, 7, 10, 15, 20, 30)), 16384: ((20, 220), (20, 30, 40, 50, 70, 100, 150, 200))}  # milliseconds


def ways_of(folder):
    """Rows with variant, n, levels, ms_median and mean_error. Of step 19 those with Winograd's sums."""
    ways = [row for row in style.rows_of(f"{folder}/21-gpu.jsonl") if row.variant]
    return ways + [style.Row(variant="ffma", n=row.n, levels=row.levels, ms_median=row.ms_median, mean_error=row.mean_error)
                   for row in style.rows_of(f"{folder}/24-gpu.jsonl")
                   if (row.variant, row.precision, row.numbers) == ("winograd", "f32", "uniform")]


def draw_labels(axes, name, rows, n):
    _, color, right, up = WAYS[name]
    up = {"fp16": 0, "fp16x3": up}.get(name, up) if n == 16384 else {"fp16x3": -0.6}.get(name, up)
    for row in rows:
        error = row.mean_error * (1.15 ** (row.levels - 1) if name == "fp16" else 1)  # a little apart
        axes.annotate(name if name in NAMED else row.levels, (row.ms_median, error), (right * 7, up * 13), textcoords="offset points",
                      ha="left" if name in NAMED else "center", va="center", fontsize=style.SMALL, color=color)


def draw_times(axes, n, ways):
    rows = [row for row in ways if row.n == n and row.ms_median and row.mean_error]
    frontier = []  # what nothing beats in both
    for row in sorted(rows, key=lambda row: row.ms_median):
        if not frontier or row.mean_error < frontier[-1].mean_error:
            frontier.append(row)
    axes.step([row.ms_median for row in frontier], [row.mean_error for row in frontier], where="post", color="#f3e2b3", linewidth=9,
              label="the frontier")
    for name, (title, color, *_) in WAYS.items():
        its = sorted((row for row in rows if row.variant == name), key=lambda row: row.levels)
        if any(row.variant == name for row in ways):
            axes.plot([row.ms_median for row in its], [row.mean_error for row in its], "o-", color=color, label=title)
            draw_labels(axes, name, its, n)
    axes.set_title(f"n = {n}; the numbers are levels")
    axes.set(xlabel="milliseconds", ylabel="mean error (inputs in [-1, 1])")
    limits, ticks = PANELS[n]
    finish(axes, limits, (4e-6, 2e-2), ticks)


def draw_over_n(axes, ways):
    for name in OVER_N:
        its = sorted((row.n, row.mean_error) for row in ways if row.variant == name and row.levels == 0)
        axes.plot(*zip(*its), "o-", color=WAYS[name][1], label=name)
    axes.set_title("Without levels: the error over k = n")
    axes.set(xlabel="n", ylabel="mean error")
    finish(axes, (1800, 36000), (2e-6, 2e-2), (2048, 4096, 8192, 16384, 32768))


def finish(axes, xlim, ylim, ticks):
    style.logarithmic(axes.xaxis)
    style.logarithmic(axes.yaxis)
    axes.set(xlim=xlim, ylim=ylim)
    style.ticks(axes, ticks)


def main():
    asked = style.options(__doc__, f"{style.ROOT}/docs/results/h200", f"{style.ROOT}/docs/results/21-time-error.svg")
    if not os.path.isfile(f"{asked.results}/21-gpu.jsonl"):
        return style.resource(f"no measured times, {asked.results}/21-gpu.jsonl is not there (21-tensor-cores --rungs --json measures it)")
    ways = ways_of(asked.results)
    figure, (first, second, third) = style.figure(860, 1240, 1500, 3)
    draw_times(first, 8192, ways)
    draw_times(second, 16384, ways)
    draw_over_n(third, ways)
    style.key(first, ncols=2 if style.PHONE else 1)
    style.key(third, ncols=2 if style.PHONE else 1)
    style.save(figure, asked.out)
    print(f"{asked.out}: {sum(row.n in PANELS for row in ways)} points")
    return 0


if __name__ == "__main__":
    sys.exit(main())
