#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a rank receives over the number of ranks, or how long the ranks work together, as SVG. Words are counted in runs
(DIR/epyc-2/22-words.jsonl), times measured on GPUs (DIR/h200/22-four.jsonl); both are simulated from the model up to 1024 ranks
(DIR/any/22-model.jsonl, made by 22-many-gpus --model --json), the words with the lower bound of classical products, the times
with the rate of cublasSgemm over the size (DIR/h200/19-chunks.jsonl) and two rates of links."""
import math
import os
import sys

import style

COLORS = {"summa": "#222222", "cannon": "#0072b2", "strassen-bfs": "#009e73", "strassen-dfs": "#cc79a7",
          "strassen-over-summa": "#d55e00", "caps-groups": "#e69f00"}
RANKS = 1, 2, 4, 7, 16, 49, 128, 343, 1024  # those with a label; 8, 32, 64, 256, 512 would touch it
IN_A_HOST = 8  # GPUs
NVLINK, NETWORK = 298, 50  # GB/s that each receives: measured on two H200s, four have 288 to 303; 400 Gbit/s for each GPU


def lines_of(rows, y):
    """{variant: [(ranks, y), ...]}"""
    lines = {}
    for row in sorted(rows, key=lambda row: row.ranks):
        lines.setdefault(row.variant, []).append((row.ranks, y(row)))
    return {variant: lines[variant] for variant in COLORS if variant in lines}


def draw(axes, model, points, dashed, simulated, measured):
    for variant, line in model.items():
        axes.plot(*zip(*line), "--" if dashed else "-", color=COLORS[variant], label=variant)
    for variant, line in points.items():
        axes.plot(*zip(*line), "o", color=COLORS[variant], markersize=6)
    if simulated:
        axes.plot([], [], "--", color="#888888", label=simulated)
    axes.plot([], [], "o", color="#888888", label=measured)


def draw_words(axes, model, runs):
    def area(row):
        return row.n * row.n

    model = [row for row in model if row.variant and row.ranks > 1 and row.n == 14336]
    points = lines_of([row for row in runs if row.variant and row.ranks > 1], lambda row: row.words / area(row))
    lines = lines_of(model, lambda row: row.model_words / area(row))
    bound = lines_of([row for row in model if row.variant == "summa"], lambda row: row.bound_words / area(row))["summa"]
    axes.set_title(style.wrapped("Words that the busiest rank receives, over n²: counted (points) and simulated from the model (lines)"))
    draw(axes, lines, points, False, "", "counted in a run")
    axes.plot(*zip(*bound), "--", color="#888888", linewidth=2, label="classical bound")
    axes.set(ylabel="words / n²", xlim=(1.8, 1150), ylim=(0.02, 3))
    style.logarithmic(axes.yaxis)
    return points


def time_by_model(row, rates):
    """Ranks of one host receive by NVLink, others by the network between hosts. What cublasSgemm does with a product of this edge:
    straight lines over log2 of the edge, from squares of 1024 to 32768; below 1024 in proportion to the edge, since tiles then
    leave multiprocessors idle."""
    edge = math.log2(row.leaf_m * row.leaf_n * row.leaf_k) / 3
    rate = rates[-1][1]
    if edge <= rates[0][0]:
        rate = rates[0][1] * 2 ** (edge - rates[0][0])
    for (low, low_rate), (high, high_rate) in zip(rates, rates[1:]):
        if low <= edge < high:
            rate = low_rate + (high_rate - low_rate) * (edge - low) / (high - low)
    link = NVLINK if row.ranks <= IN_A_HOST else NETWORK
    return (row.flops_a_rank / rate + row.model_words * 4 / link) / 1e6 * row.ranks / 1000


def draw_times(axes, model, runs, chunks):
    rates = {}
    for row in chunks:
        if row.variant == "cublas" and row.n:
            rates[row.n] = max(rates.get(row.n, 0), 2e-6 * row.n ** 3 / row.ms_median)
    runs = [row for row in runs if row.variant and row.n == 32768 and row.leaf == "cublas" and row.precision == "f32"]
    rates = sorted((math.log2(n), rate) for n, rate in rates.items())
    rates += [(math.log2(row.n), row.gflops) for row in runs if row.ranks == 1]
    lines = lines_of([row for row in model if row.variant and row.n == 32768], lambda row: time_by_model(row, rates))
    # of several levels the model's, or the only ones
    points = lines_of([row for row in runs if row.variant != "strassen-bfs" or row.levels == 2],
                      lambda row: row.ms_median * row.ranks / 1000)
    shown = "summa", "cannon", "strassen-bfs", "strassen-over-summa"
    lines, drawn = ({variant: one[variant] for variant in shown if variant in one} for one in (lines, points))
    axes.set_title(style.wrapped("Time × GPUs at n = 32768: measured on H200s (points) and simulated from the model (lines)"))
    draw(axes, lines, drawn, True, "simulated", "measured")
    axes.set(ylabel="time × GPUs, seconds", xlim=(0.9, 1150))
    style.logarithmic(axes.yaxis)
    axes.set_ylim(0.8, 12)
    axes.set_yticks([1, 2, 3, 5, 8, 12])
    axes.axvline(IN_A_HOST, linestyle=":", color="#888888")
    axes.text(IN_A_HOST, 10.5, "one host | network", ha="center", color="#666666", fontsize=style.SMALL,
              bbox={"facecolor": "white", "edgecolor": "none"})
    return points


def main():
    panel = "times" if "times" in sys.argv else "words"
    asked = style.options(__doc__, f"{style.ROOT}/docs/results", f"{style.ROOT}/steps/22-many-gpus/22-{panel}.svg",
                          [("--panel", {"choices": ("words", "times"), "default": "words"})])
    model, runs = f"{asked.results}/any/22-model.jsonl", f"{asked.results}/" + \
        ("epyc-2/22-words.jsonl" if asked.panel == "words" else "h200/22-four.jsonl")
    for file in model, runs:
        if not os.path.isfile(file):
            return style.resource(f"no {'counted' if asked.panel == 'words' else 'measured'} or modelled {asked.panel}, "
                                  f"{file} is not there")
    figure, axes = style.figure(860, 560, 520)
    if asked.panel == "words":
        points = draw_words(axes, style.rows_of(model), style.rows_of(runs))
    else:
        points = draw_times(axes, style.rows_of(model), style.rows_of(runs), style.rows_of(f"{asked.results}/h200/19-chunks.jsonl"))
    style.logarithmic(axes.xaxis)
    style.ticks(axes, [rank for rank in RANKS if rank >= axes.get_xlim()[0]], turned=60 if style.PHONE else 0)
    axes.set_xlabel("ranks")
    style.key(axes)
    style.save(figure, asked.out)
    print(f"{asked.out}: {sum(map(len, points.values()))} points")
    return 0


if __name__ == "__main__":
    sys.exit(main())
