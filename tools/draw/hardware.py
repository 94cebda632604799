#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hardware.py 4|5: draws NVIDIA's hardware model, N multiprocessors of M processors, as SVG: of three GPUs side by side (Figure 4
of Li et al. (2011)), or the C1060 with all of its processors (Figure 5). Numbers come from the documents' table."""
import csv
import os

import svg

EDGE = "#444444"
NUMBERS = os.path.join(svg.ROOT, "common", "documents", "numbers.csv")


def numbers_of(gpu):
    with open(NUMBERS, encoding="utf-8") as file:
        return {row["row"]: int(float(row["value"])) for row in csv.DictReader(file)
                if (row["item"], row["column"]) == ("hardware", gpu)}


def device_memory(x, y, width, of):
    svg.box(x, y, width, 26, svg.PALE_BLUE, EDGE, 1)
    svg.text(x + width / 2, y + 18, 12, "middle", svg.BLACK, f"{of['device memory GB']} GB device memory, read and written by all")


def model(x, gpu):
    """Of N multiprocessors the first in full, of its M processors the first, the second and the last."""
    of = numbers_of(gpu)
    n, m = of["multiprocessors"], of["processors a multiprocessor"]
    svg.text(x + 150, 24, 14, "middle", svg.BLACK, f"{gpu}: N = {n}, M = {m}", bold=True)
    for i in 2, 1, 0:
        svg.box(x + 10 + 10 * i, 44 + 8 * i, 250, 130, svg.PALE if i else "#ffffff", EDGE, 1)
    svg.text(x + 20, 62, 12, "start", svg.BLACK, f"multiprocessor 1 of {n}")
    for i, number in enumerate((1, 2, m)):
        left = x + 20 + 60 * i + (i == 2) * 50
        svg.box(left, 72, 50, 42, "#ffffff", svg.BLUE, 1)
        svg.text(left + 25, 89, 10, "middle", svg.BLACK, "processor")
        svg.text(left + 25, 104, 11, "middle", svg.BLACK, number)
    svg.text(x + 162, 97, 16, "middle", svg.GREY, "…")
    for y, fill, words in ((122, svg.PALE_ORANGE, f"{of['registers a multiprocessor']} registers"),
                           (146, svg.PALE_GREEN, f"{of['shared memory KB']} KB shared memory")):
        svg.box(x + 20, y, 230, 20, fill, EDGE, 1)
        svg.text(x + 135, y + 14, 11, "middle", svg.BLACK, words)
    device_memory(x + 10, 206, 270, of)


def draw_model():
    svg.begin(930, 250, "NVIDIA's hardware model, with the numbers of three GPUs")
    for i, gpu in enumerate(("C1060", "C2050", "H100")):
        model(310 * i, gpu)
    svg.end()


def draw_c1060():
    of, columns = numbers_of("C1060"), 10
    n, m = of["multiprocessors"], of["processors a multiprocessor"]
    rows = -(-n // columns)
    svg.begin(920, 120 + 82 * rows, "The Tesla C1060: multiprocessors and their processors")
    svg.text(20, 24, 14, "start", svg.BLACK, f"Tesla C1060: {n} multiprocessors of {m} processors", bold=True)
    for i in range(n):
        x, y = 20 + 88 * (i % columns), 40 + 82 * (i // columns)
        svg.box(x, y, 80, 74, svg.PALE, EDGE, 1)
        for j in range(m):
            svg.box(x + 6 + 17.5 * (j % 4), y + 6 + 17 * (j // 4), 15, 14, "#ffffff", svg.BLUE, 1)
        svg.box(x + 6, y + 42, 68, 11, svg.PALE_ORANGE, EDGE, 0.7)
        svg.box(x + 6, y + 57, 68, 11, svg.PALE_GREEN, EDGE, 0.7)
    y = 44 + 82 * rows
    device_memory(20, y, 872, of)
    svg.text(20, y + 48, 12, "start", svg.BLACK,
             f"White: a processor. Orange: {of['registers a multiprocessor']} registers. Green: {of['shared memory KB']} KB of shared "
             "memory. A half-warp of 16 threads runs on one multiprocessor.")
    svg.end()


if __name__ == "__main__":
    svg.pictures({"4": draw_model, "5": draw_c1060})
