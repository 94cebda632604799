#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Levels against the mean error of step 24's tables divided by the classical product's, as SVG, from DIR/24-errors.jsonl (DIR is
docs/results/epyc-2 unless told)."""
import sys

import style

METHODS = ("winograd", "Winograd"), ("strassen", "Strassen"), ("dps", "Dumas, Pernet and Sedoglavic")


def main():
    asked = style.options(__doc__, f"{style.ROOT}/docs/results/epyc-2", f"{style.ROOT}/steps/24-accurate/24-errors.svg")
    rows = [row for row in style.rows_of(f"{asked.results}/24-errors.jsonl") if row.error_ratio and row.leaf == "openblas"]
    if not rows:
        return style.resource(f"there are no measured errors in {asked.results}")
    figure, axes = style.figure(720, 400)
    axes.set_title(style.wrapped(f"n = {rows[0].n}, numbers in [−1, 1], on {rows[0].device}"))
    for color, (method, name) in zip(style.COLORS, METHODS):
        points = sorted((row.levels, row.error_ratio) for row in rows
                        if row.variant == method and row.input == "uniform" and not row.copies)
        axes.plot(*zip(*points), "o-", color=color, linewidth=2, label=name)
    axes.set(xlabel="levels", ylabel="mean error, classical product = 1")
    style.logarithmic(axes.yaxis)
    style.ticks(axes, sorted({row.levels for row in rows}))
    axes.legend(loc="upper left")
    style.save(figure, asked.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
