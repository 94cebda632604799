#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The plots of the chapters, one per step, from measured results; as SVG into steps/NN-name/NN-result.svg, or into the folder of
--out. A name that is no step's number is a plot of docs/, in docs/results/NAME.svg. What a plot shows is the table below.
Results that are missing are named and their plot is left as it is. Exit status: 2 bad usage, 3 nothing could be drawn."""
import glob
import os
import sys
from dataclasses import dataclass
from typing import Callable

import style

MARKERS = "sDo^vPX"


def variant(row):
    return row.variant


def step_and_variant(row):
    return f"{row.step[:2]} {row.variant}"


def size(row):
    return f"n = {row.n}"


def tflops(row, *_):
    return row.gflops / 1000


def ratio(row, *_):
    return row.ratio


def over_leaf(row, leaf, _):
    return leaf.ms_median / row.ms_median


def counted(number, word):
    return f"{number} {word}{'s' if number > 1 else ''}"


@dataclass
class Plot:
    """kind: bars, one per row; sizes, lines over n; levels, lines over the number of levels. A y axis named with (log) is
    logarithmic. y gets a row, the row of the same line without levels, and the line's name. A line's name may be several.
    The fastest of several rows that make one point is drawn.
    Of several machines' files of one name the first is, but an H100's is the last."""
    name: str
    kind: str
    title: str
    y_name: str
    files: str
    wanted: Callable
    line: Callable
    y: Callable
    reference: str = ""  # the name of a line with the vendor's times from the rows of step 10

    def x(self, row):
        return {"bars": 0, "sizes": row.n, "levels": row.levels}[self.kind]

    def target(self, out):
        if self.name[:2].isdigit() and len(self.name) == 2:
            return os.path.join(out or glob.glob(f"{style.ROOT}/steps/{self.name}-*")[0], f"{self.name}-result.svg")
        return os.path.join(out or f"{style.ROOT}/docs/results", f"{self.name}.svg")


TFLOPS, COUNTED = "TFLOP/s", "TFLOP/s, counted as 2n³ / time"
CUBLAS, OPENBLAS, GPU8 = "time of cuBLAS / time", "time of OpenBLAS / time", "time of GPU8 / time with L levels"
WITHOUT_COPIES = {"alone": "on the GPU", "pinned": "with pinned copies", "pageable": "with pageable copies",
                  "processor": "OpenBLAS, 16 cores"}
PLOTS = [
    Plot("01", "bars", "Six orders of one loop nest, n = 512", "GFLOP/s (log)", "01-cpu-naive",
         lambda r: r.n == 512 and r.precision == "f32", variant, lambda r, *_: r.gflops),
    Plot("02", "bars", "Three ways to use blocks, n = 2048", "GFLOP/s", "02-cpu-blocked",
         lambda r: r.precision == "f32", variant, lambda r, *_: r.gflops),
    Plot("03", "levels", "The same arithmetic, divided L times: n = 512 and n = 2048", "GFLOP/s", "03-cpu-divide-conquer",
         lambda r: r.n >= 512, size, lambda r, *_: r.gflops),
    Plot("04", "levels", "Strassen over a slow leaf and over a fast one", "time of the leaf alone / time with L levels",
         "04-cpu-strassen", lambda r: r.leaf == "ikj" or r.n == 2048,
         lambda r: f"over {'the loop ikj' if r.leaf == 'ikj' else 'OpenBLAS'}, n = {r.n}", lambda r, leaf, _: r.ratio / leaf.ratio),
    Plot("05", "levels", "One sum at a time, and fused: Winograd over OpenBLAS", OPENBLAS, "05-cpu-winograd-levels",
         lambda r: True, lambda r: f"{r.variant}, {counted(r.threads, 'thread')}", ratio),
    Plot("05-threads", "sizes", "Sums in the packing next to OpenBLAS, with the best number of levels", OPENBLAS,
         "05-cpu-xeon16", lambda r: r.precision == "f32" and r.m == r.n == r.k and r.threads in (1, 16)
         and r.variant in ("packed", "packed-sums") and r.note.startswith("AVX-512") and r.n in (1024, 1536, 2048, 4096, 8192),
         lambda r: f"{r.variant}, {counted(r.threads, 'thread')}", ratio),
    Plot("06", "sizes", "One thread for each element, three ways", TFLOPS, "06-17-gpu",
         lambda r: r.step == "06-gpu-naive", variant, tflops),
    Plot("07", "sizes", "Products through textures", TFLOPS, "06-17-gpu",
         lambda r: r.step == "07-gpu-streams", variant, tflops),
    Plot("08", "sizes", "Tiles in shared memory", TFLOPS, "06-17-gpu",
         lambda r: r.step == "08-gpu-shared", variant, tflops),
    Plot("09", "sizes", "From a thread for each element to register blocking", TFLOPS, "06-17-gpu",
         lambda r: r.variant in ("volkov", "tile32", "coalesced"), step_and_variant, tflops),
    Plot("10", "sizes", "GPU8 next to the kernel of step 09 and cuBLAS", TFLOPS, "06-17-gpu",
         lambda r: r.step[:2] in ("09", "10"), step_and_variant, tflops, "cuBLAS"),
    Plot("11", "sizes", "Strassen over cuBLAS, with and without copies", CUBLAS, "paper-choices",
         lambda r: r.variant in ("document", "no-copies"), lambda r: f"{r.variant}, {counted(r.levels, 'level')}", ratio),
    Plot("12", "sizes", "One level of Strassen next to the kernel it is made of", COUNTED, "06-17-gpu",
         lambda r: r.step[:2] in ("10", "12"), step_and_variant, tflops),
    Plot("13", "sizes", "One level of each method next to GPU8", COUNTED, "06-17-gpu",
         lambda r: r.step[:2] in ("10", "12", "13"), step_and_variant, tflops),
    Plot("14", "levels", "Strassen by number of levels", GPU8, "paper-times",
         lambda r: r.variant == "strassen" or r.variant == "winograd" and not r.levels, size, over_leaf),
    Plot("15", "levels", "Winograd by number of levels", GPU8, "paper-times",
         lambda r: r.variant == "winograd", size, over_leaf),
    Plot("16", "bars", "Which factor is fetched through a texture: two levels of Winograd, n = 8192", "milliseconds",
         "paper-choices", lambda r: r.step == "16-texture" and r.n == 8192, variant, lambda r, *_: r.ms_median),
    Plot("17", "sizes", "In double: the best number of levels over dgemm", "time of dgemm / time", "06-17-gpu paper-double",
         lambda r: r.levels and r.leaf == "dgemm", variant, ratio),
    Plot("18", "sizes", "Sums in one pass, and two products at a time, over cuBLAS", CUBLAS, "18-gpu",
         lambda r: r.precision == "f32" and r.variant in ("plain", "one-pass", "overlapped"), variant, ratio),
    Plot("19", "sizes", "A hand-written leaf, with the best number of levels", CUBLAS, "19-gpu 18-gpu",
         lambda r: r.precision == "f32" and r.variant in ("own", "two-levels", "beside", "overlapped"),
         lambda r: "18 overlapped" if r.variant == "overlapped" else f"19 {r.variant}", ratio),
    Plot("copies", "sizes", "One product in single precision, with the copies to the GPU and without", f"{COUNTED} (log)",
         "11-copies", lambda r: r.leaf == "cublas" and r.n in (128, 256, 512, 1024, 2048, 4096, 8192),
         lambda r: WITHOUT_COPIES[r.variant], lambda r, *_: 2 * r.n ** 3 / r.ms_median / 1e9),
    Plot("errors-levels", "levels", "Largest error against I, Kaporin's matrices, n = 16384", "largest error (log)",
         "paper-accuracy", lambda r: r.n == 16384 and r.precision == "f32" and r.variant in ("gpu8", "strassen", "winograd"),
         lambda r: ("strassen", "winograd") if r.variant == "gpu8" else r.variant, lambda r, *_: r.max_error),
    Plot("errors-bound", "levels", "Strassen over OpenBLAS, random matrices, n = 2048", "error (log)", "04-cpu-strassen",
         lambda r: r.n == 2048, lambda r: ("largest measured", "allowed by the bound"),
         lambda r, _, name: r.max_error if name == "largest measured" else r.error_bound),
]


def lines_of(plot, rows):
    """{name: [(x, y), ...]} in the order of x."""
    fastest = {}
    for row in rows:
        names = plot.line(row)
        for name in [names] if isinstance(names, str) else names:
            point = fastest.setdefault(name, {}).setdefault((plot.x(row), row.n), row)
            if (row.ms_median or 0) < (point.ms_median or 0):
                fastest[name][plot.x(row), row.n] = row
    lines = {}
    for name, points in fastest.items():
        ordered = [points[key] for key in sorted(points)]
        leaf = next((row for row in ordered if row.levels == 0), None)
        lines[name] = [(plot.x(row), plot.y(row, leaf, name)) for row in ordered]
        if plot.reference:
            vendor = [(row.n, 2 * row.m * row.n * row.k / row.reference_ms_median / 1e9) for row in ordered if row.step == "10-gpu8"]
            lines.setdefault(plot.reference, []).extend(vendor)
    return {name: line for name, line in lines.items() if line}


def draw_bars(axes, lines):
    """With their values, the longest on the right."""
    bars = sorted((line[0][1], name) for name, line in lines.items())
    axes.bar([name for _, name in bars], [y for y, _ in bars], width=0.6, color=style.COLORS[0])
    for i, (y, _) in enumerate(bars):
        axes.annotate(f"{y:.3g}", (i, y), (0, 3), textcoords="offset points", ha="center", fontsize=style.SMALL)
    axes.grid(axis="x", visible=False)
    if style.PHONE:
        axes.set_xticks(range(len(bars)), [name for _, name in bars], rotation=35, ha="right", rotation_mode="anchor")


def draw_lines(axes, lines, kind):
    """The names in the order in which the lines end, so that the key reads as the picture does."""
    axes.margins(x=0.06)
    for i, (name, line) in enumerate(sorted(lines.items(), key=lambda item: -item[1][-1][1])):
        axes.plot(*zip(*line), marker=MARKERS[i % 7], color=style.COLORS[i % 7], linewidth=2, label=name)
    xs = sorted({x for line in lines.values() for x, _ in line})
    if kind == "sizes":
        style.logarithmic(axes.xaxis)
        xs = [n for n in (2 ** i for i in range(6, 16)) if xs[0] <= n <= xs[-1]]
    style.ticks(axes, xs)
    axes.set_xlabel("n" if kind == "sizes" else "levels L")
    style.key(axes)


def draw(plot, lines, device, path):
    figure, axes = style.figure(720, 400)
    figure.suptitle(style.wrapped(plot.title), fontsize=13, color=style.TEXT)
    axes.set_title(device, fontsize=style.SMALL)
    axes.set_ylabel(plot.y_name)
    if plot.kind == "bars":
        draw_bars(axes, lines)
    else:
        draw_lines(axes, lines, plot.kind)
    if "(log)" in plot.y_name:
        style.logarithmic(axes.yaxis)
    else:
        axes.set_ylim(bottom=0, top=axes.get_ylim()[1] * 1.04)
    if plot.y_name.startswith("time of "):
        axes.axhline(1, color="#888888", linestyle="--", linewidth=1)
    style.save(figure, path)


def main():
    asked = style.options(__doc__, f"{style.ROOT}/docs/results", "", [("names", {"nargs": "*", "metavar": "NAME"})])
    drawn = 0
    for plot in PLOTS:
        if asked.names and plot.name not in asked.names:
            continue
        files = [glob.glob(f"{asked.results}/{name}.jsonl") + glob.glob(f"{asked.results}/*/{name}.jsonl")
                 for name in plot.files.split()]
        if not all(files):
            print(f"draw/results: step {plot.name}: not all of {plot.files} measured in {asked.results}", file=sys.stderr)
            continue
        all_rows = style.rows_of(*(min(found, key=lambda path: ("/h100/" in path, path)) for found in files))
        lines = lines_of(plot, [row for row in all_rows if row.variant and plot.wanted(row)])
        device = next(row.device for row in all_rows if row.variant)
        date = max(row.conditions["date"] for row in all_rows if row.conditions)
        draw(plot, lines, f"{device}, {date}", plot.target(asked.out))
        print(f"{plot.target(asked.out)}: {sum(map(len, lines.values()))} points")
        drawn += 1
    return 0 if drawn else style.resource(f"no measured times for a plot in {asked.results}")


if __name__ == "__main__":
    sys.exit(main())
