#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""GFLOP/s over n (2n^3 over the time) of the fastest variant of every step, as SVG: Figure 1 of Fatahalian et al. (2004) for
this ladder. Four pictures, one below the other: float and double on the GPU, from DIR/NN*-gpu.jsonl and DIR/paper-*.jsonl
(tools/measure/gpu and tools/paper/measure measure; DIR is docs/results/h200 by default), and two processors, on one thread and
on all, from DIR/0[1-5]-*.jsonl and DIR/07-cpu.jsonl (docs/results/epyc-2 and docs/results/xeon-16; tools/measure/cpu); with
--panel one of them. The vendors' libraries as timed in turn with them. Missing files are left out."""
import glob
import math
import re
import sys

import style

DASHES = "-", "--", ":", "-."
FILES = {"float": "[0-9]*-gpu paper-times", "double": "[0-9]*-gpu paper-double", "cpu": "0[1-5]-* 07-cpu", "cores": "0[1-5]-*"}


def rows_for(panel, folder):
    """The right results for squares in the panel's precision. Of a processor only one thread and the most there are, without
    the odd sizes."""
    files = [file for pattern in FILES[panel].split() for file in sorted(glob.glob(f"{folder}/{pattern}.jsonl"))
             if not file.endswith(("-barrier.jsonl", "-blocks.jsonl"))]  # they compare ways of one step
    on_processor, precision = panel in ("cpu", "cores"), "f64" if panel == "double" else "f32"
    rows = [row for row in style.rows_of(*files) if row.variant and row.gflops and row.m == row.n == row.k
            and any(row.get(verdict) not in (None, False) for verdict in ("passed", "repeatable", "difference"))
            and (row.backend == "cpu") == on_processor and row.precision == precision
            and (row.levels or row.leaf != "dgemm")  # that is the library's product
            and not (row.step == "21-tensor-cores" and row.variant.startswith("tf32"))]  # those are no float products
    most = max((row.threads or 1 for row in rows), default=1)
    return [row for row in rows if not on_processor or row.threads in (1, most) and row.n % 64 == 0]


def name_of(row):
    """Both variants of step 07 have lines of their own. Step 05's program measured step 02's product and BLIS, too."""
    if row.step in ("07-gpu-streams", "01-cpu-naive"):
        return f"{row.step[:2]} {row.variant}"
    if row.variant == "blis":
        return "BLIS"
    return "02-cpu-blocked" if row.step == "05-cpu-winograd" and row.variant == "packed" else row.step


def lines_of(panel, folder):
    """[(name, [(n, GFLOP/s), ...])]; the line that ends highest comes first."""
    lines = {}

    def add(name, row, gflops):
        name += f", {row.threads} threads" if row.backend == "cpu" and row.threads > 1 else ""
        if not re.match("01 (jik|kij|kji|register)", name):
            line = lines.setdefault(name, {})
            line[row.n] = max(gflops, line.get(row.n, 0))

    for row in rows_for(panel, folder):
        add(name_of(row), row, row.gflops)
        if row.reference_ms_median:
            add(row.reference.split(" ")[0] + (" dgemm" if panel == "double" else ""), row, 2 * row.n ** 3 / row.reference_ms_median / 1e6)
    return sorted(((name, sorted(line.items())) for name, line in lines.items()), key=lambda line: -line[1][-1][1])


def title_of(panel, folder, lines):
    if panel == "double":
        return "Double precision, the same GPU"
    device = next(row.device for row in rows_for(panel, folder) if row.device)
    if panel == "float":
        return f"Single precision, {device}: the fastest variant of each step"
    threads = next((re.search(r", (\d+) threads", name)[1] for name, _ in lines if "threads" in name), None)
    return f"Single precision, {device}, one thread" + (f" and all {threads}" if threads else "")


def place_names(axes, lines, right):
    """A line's name is at its end, in its colour; names that would touch are moved apart, from the top and from the bottom in
    turn, and a thin stroke leads from the line to its name."""
    ends = [math.log2(line[-1][1]) for _, line in lines]
    low, high = (math.log2(y) for y in axes.get_ylim())
    gap, at = (high - low) * 0.042, []
    for y in ends:
        at.append(min(y, at[-1] - gap) if at else y)
    at[-1] = max(at[-1], low)
    for i in range(len(at) - 2, -1, -1):
        at[i] = max(at[i], at[i + 1] + gap)
    for i, ((name, line), y) in enumerate(zip(lines, at)):
        color = style.STEPS[i % 8]
        axes.plot([line[-1][0] * 1.04, right * 1.36], [line[-1][1], 2 ** y], color=color, linewidth=0.5, clip_on=False)
        axes.text(right * 1.42, 2 ** y, name, color=color, fontsize=style.SMALL, va="center")


def draw(axes, panel, folder, lines):
    for i, (name, line) in enumerate(lines):
        axes.plot(*zip(*line), DASHES[i // 8], color=style.STEPS[i % 8], marker="o", markersize=3, label=name)
    sizes, speeds = ([point[i] for _, line in lines for point in line] for i in (0, 1))
    axes.set_title(style.wrapped(title_of(panel, folder, lines)))
    axes.set(xlabel="n", ylabel="GFLOP/s (2n³ / time)")
    style.logarithmic(axes.xaxis, 2)
    style.logarithmic(axes.yaxis, 2)
    axes.set_xlim(min(sizes) / 1.15, max(sizes) * 1.05)
    axes.set_ylim(2.0 ** (int(math.log2(min(speeds))) - 1), 2.0 ** (int(math.log2(max(speeds))) + 1))
    style.ticks(axes, [2 ** i for i in range(17) if min(sizes) / 1.15 <= 2 ** i <= max(sizes) * 1.05])
    if style.PHONE:
        style.key(axes)
    else:
        place_names(axes, lines, max(sizes))
        axes.set_xlim(min(sizes) / 1.15, max(sizes) * 1.05)


def main():
    asked = style.options(__doc__, None, f"{style.ROOT}/docs/results/performance.svg", [("--panel", {"choices": list(FILES)})])
    results = f"{style.ROOT}/docs/results"
    folders = {"float": "h200", "double": "h200", "cpu": "epyc-2", "cores": "xeon-16"}
    folders = {panel: asked.results or f"{results}/{folder}" for panel, folder in folders.items()}
    panels = [asked.panel] if asked.panel else list(FILES)[:3 if asked.results else 4]  # one folder has one processor
    lines = {panel: lines_of(panel, folders[panel]) for panel in panels}
    if not any(lines.values()):
        return style.resource(f"no measured times in {folders['float']}/NN*-gpu.jsonl (tools/measure/gpu measures)")
    panels = [panel for panel in panels if lines[panel]]
    figure, axes = style.figure(860, 470 * len(panels), 640 * len(panels), len(panels))
    for panel, one in zip(panels, axes if len(panels) > 1 else [axes]):
        draw(one, panel, folders[panel], lines[panel])
    style.save(figure, asked.out)
    print(f"{asked.out}: {sum(map(len, lines.values()))} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main())
