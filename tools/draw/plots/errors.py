#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Levels against mean error and time, as SVG, from DIR/24-gpu.jsonl (24-gpu --frontier --json; DIR is docs/results/h200 by
default): at n = 16384, for each number of levels Winograd's sums, for none cuBLAS."""
import sys

import style


def main():
    asked = style.options(__doc__, f"{style.ROOT}/docs/results/h200", f"{style.ROOT}/docs/results/19-errors.svg")
    rows = [row for row in style.rows_of(f"{asked.results}/24-gpu.jsonl") if row.variant in ("cublas", "winograd")
            and (row.n, row.precision, row.numbers) == (16384, "f32", "uniform")]
    if not rows:
        return style.resource(f"there are no measured errors in {asked.results}")
    best = {row.levels: row for row in rows}
    levels = sorted(best)
    figure, axes = style.figure(720, 440)
    axes.set_title(style.wrapped(f"n = {rows[0].n} on {rows[0].device}"))
    axes.plot(levels, [best[level].mean_error for level in levels], "o-", color="#b03030", linewidth=2, label="mean error")
    axes.set(xlabel="levels of Winograd's method", ylabel="mean error")
    style.logarithmic(axes.yaxis)
    style.ticks(axes, levels)
    if all(row.ms_median for row in rows):  # the simulated GPU has none
        right = axes.twinx()
        right.plot(levels, [best[level].ms_median for level in levels], "s-", color="#3050a0", linewidth=2)
        axes.plot([], [], "s-", color="#3050a0", linewidth=2, label="ms")
        right.set(ylabel="ms", ylim=(0, None))
        right.spines["right"].set_visible(True)
        right.grid(False)
    axes.legend(loc="upper center")
    style.save(figure, asked.out)
    print(f"{asked.out}: {len(levels)} points")
    return 0


if __name__ == "__main__":
    sys.exit(main())
