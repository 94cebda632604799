#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""messages.py [--results DIR] [--out FILE]: the messages that ranks sent each other, as SVG, from their logs in
DIR/any/22-messages.jsonl (22-many-gpus --messages --json). A column is a variant, a line a rank, and time goes down: one band for each
exchange. An arrow is all that one rank sent another in it, as wide as it has words."""
import argparse
import contextlib
import json
import math
import os
import sys

import svg

COLORS = "#0072B2", "#D55E00", "#007A5A", "#7a5195"
VARIANTS = "summa", "cannon", "strassen-bfs"
WIDE, GAP, TOP, HIGH, LEFT = 250, 34, 96, 44, 54


def arrow(x0, y0, x1, y1, width, color):
    dx, dy = x1 - x0, y1 - y0
    dx, dy, head = dx / math.hypot(dx, dy), dy / math.hypot(dx, dy), 5 + width
    ex, ey = x1 - dx * head, y1 - dy * head
    print(f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{ex:.1f}" y2="{ey:.1f}" stroke="{color}" stroke-width="{width:.2f}"/>')
    svg.path(f"M{x1:.1f} {y1:.1f} L{ex - dy * head / 2:.1f} {ey + dx * head / 2:.1f} L{ex + dy * head / 2:.1f} {ey - dx * head / 2:.1f} Z", color)


def sums(rows):
    """{(exchange, from, to): words}, and {rank: words that it received}"""
    sent, received = {}, {}
    for row in rows:
        place = row["exchange"], row["from"], row["to"]
        sent[place] = sent.get(place, 0) + row["words"]
        received[row["to"]] = received.get(row["to"], 0) + row["words"]
    return sent, received


def draw_column(x, rows, last):
    """Returns how many arrows it has."""
    sent, received = sums(rows)
    bands, step, first = sorted({exchange for exchange, *_ in sent}), (WIDE - 60) / last, rows[0]
    svg.text(x + (WIDE - 60) / 2, 28, 15, "middle", svg.BLACK, first["variant"] + (f", grid {first['grid']}" if first["plan"] == "-" else ", one level"))
    bottom = TOP + len(bands) * HIGH
    for rank in range(last + 1):
        svg.text(x + rank * step, 58, 12, "middle", COLORS[rank % 4], f"rank {rank}")
        svg.line(x + rank * step, 66, x + rank * step, bottom, "#cccccc", 1)
        svg.text(x + rank * step, bottom + 18, 12, "middle", svg.BLACK, f"{received.get(rank, 0) / first['n'] ** 2:.3f} n²")
    for (exchange, start, to), words in sorted(sent.items()):
        y = TOP + bands.index(exchange) * HIGH
        arrow(x + start * step, y - 16, x + to * step, y + 18, 0.8 + 40 * words / first["n"] ** 2, COLORS[start % 4])
    return len(sent)


def main():
    parser = argparse.ArgumentParser(prog="draw/messages", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--results", metavar="DIR", default=os.path.join(svg.ROOT, "docs", "results"))
    parser.add_argument("--out", metavar="FILE", default=os.path.join(svg.ROOT, "steps", "22-many-gpus", "22-messages.svg"))
    asked = parser.parse_args()
    log, rows = os.path.join(asked.results, "any", "22-messages.jsonl"), []
    if os.path.isfile(log):
        with open(log, encoding="utf-8") as file:
            rows = [row for row in map(json.loads, file) if row.get("variant") in VARIANTS]
    if not rows:
        print(f"draw/messages: no logged messages in {log} (22-many-gpus --messages --json)", file=sys.stderr)
        return 3
    columns = [its for its in ([row for row in rows if row["variant"] == variant] for variant in VARIANTS) if its]
    last, most = max(row["to"] for row in rows), max(len({row["exchange"] for row in its}) for its in columns)
    with open(asked.out, "w", encoding="utf-8") as out, contextlib.redirect_stdout(out):
        svg.begin(LEFT + len(columns) * (WIDE + GAP), TOP + most * HIGH + 40, "Messages between four ranks, from their logs")
        arrows = sum(draw_column(LEFT + i * (WIDE + GAP), its, last) for i, its in enumerate(columns))
        svg.end()
    print(f"{asked.out}: {arrows} arrows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
