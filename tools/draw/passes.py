#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the passes of NV Multi, as SVG, from what one half-warp fetches and stores in each:

    07-gpu-streams.sim --variant multi --n 16 --calls --addresses all | passes.py

In the workspace are the textures of A, B, c[0] and c[1] one after the other, all of the same size here."""
from dataclasses import dataclass, field

import svg

N, TEXEL, HIGH = 16, 16, 4
TEXTURE = N * HIGH * TEXEL
A, B, C0, TEXTURES = 0, 1, 2, 4


@dataclass
class Pass:
    """What columns of A and rows of B it reads, which c it reads back, and which it stores."""
    a: set = field(default_factory=set)
    b: set = field(default_factory=set)
    back: int = None
    stored: int = None


def look(requests, launch):
    one = Pass()
    for request in requests:
        for _, _, offset in request["lanes"] if request["launch"] == launch else ():
            texture, texel = offset // TEXTURE, offset % TEXTURE // TEXEL
            if texture >= TEXTURES:
                svg.fail("an access beyond the textures")
            if request["op"] == "store":
                one.stored = texture - C0
            elif texture == A:
                one.a.add(texel % N)
            elif texture == B:  # a texel is four rows high
                one.b.update(range(texel // N * HIGH, texel // N * HIGH + HIGH))
            else:
                one.back = texture - C0
    if None in (one.back, one.stored) or one.back == one.stored or not one.a or not one.b:
        svg.fail("a pass does not read one c and store the other")
    return one


def arrow(x, start, to):
    tip = -8 if to > start else 8
    svg.line(x, start, x, to + tip / 2, svg.GREY, 1.3)
    print(f'<path d="M{x:g} {to:g}l-4 {tip:g}h8z" fill="{svg.GREY}"/>')


def draw_pass(one, number):
    side, cell, middle = 76, 76 / N, 114 + number * 208
    (first_a, count_a), (first_b, count_b) = ((min(which), max(which) + 1 - min(which)) for which in (one.a, one.b))
    svg.text(middle, 56, 14, "middle", svg.BLACK, f"pass {number}", bold=True)
    svg.text(middle - 46, 76, 12, "middle", svg.BLACK, "A")
    svg.box(middle - 84, 82, side, side, svg.PALE, "#9a9a9a", 1)
    svg.box(middle - 84 + first_a * cell, 82, count_a * cell, side, svg.PALE_BLUE, "#444444", 1.4)
    svg.text(middle + 48, 76, 12, "middle", svg.BLACK, "B")
    svg.box(middle + 10, 82, side, side, svg.PALE, "#9a9a9a", 1)
    svg.box(middle + 10, 82 + first_b * cell, side, count_b * cell, svg.PALE_ORANGE, "#444444", 1.4)
    svg.text(middle + 1, 126, 14, "middle", svg.BLACK, "×")
    svg.text(middle, 180, 12, "middle", svg.GREY, f"c[{one.stored}] = c[{one.back}] + {count_a} columns × {count_b} rows")
    for c, y in (0, 210), (1, 312):
        stored = c == one.stored
        svg.box(middle - 38, y, side, 62, svg.PALE_GREEN if stored else "#fdf3dc", "#444444" if stored else "#9a9a9a",
                1.6 if stored else 0.9)
        svg.text(middle, y + 28, 13, "middle", svg.BLACK, f"c[{c}]", bold=stored)
        svg.text(middle, y + 46, 12, "middle", svg.GREY, "written" if stored else "read back")
    arrow(middle, *((274, 308) if one.stored else (310, 276)))


def main():
    calls, requests = svg.read_log()
    launches = [call["launch"] for call in calls if call["call"] == "launch"
                and (call["kernel"].startswith("kernel") or "multi" in call["kernel"])]
    passes = [look(requests, launch) for launch in launches]
    if not passes:
        svg.fail("no pass of NV Multi")
    svg.begin(28 + len(passes) * 208, 406, "The passes of NV Multi: each reads back what the pass before has written")
    svg.text(16, 26, 15, "start", svg.BLACK, f"NV Multi, k = {N}, --unroll 1: {len(passes)} passes, each a launch", bold=True)
    for number, one in enumerate(passes):
        draw_pass(one, number)
    svg.text(30, 396, 12.5, "start", svg.GREY, "c[0] starts as zeros. A pass cannot write the texture it reads, so the two change "
             "places; the last one written is C.")
    svg.end()


if __name__ == "__main__":
    main()
