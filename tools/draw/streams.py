#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""streams.py kernels: draws the kernels of step 19's variant `beside` on their streams over time, as SVG.

The site's player takes the boxes of the kernels from here. A product takes as long as its operations at a rate, a sum as long as its bytes at another. A kernel begins when its
stream is free and the events that its stream waits for have come. A launch of products fills the GPU, so one that was asked for
later also waits for the products before it; sums run at the same time."""
import math
from dataclasses import dataclass, field

import svg

SUMS = "#e9d3e0"


@dataclass
class Box:
    """A launch: when it runs, in ms, and the numbers of the boxes whose events it waited for."""
    kernel: str
    stream: int
    grid: list
    products: int
    begin: float
    end: float
    after: list = field(default_factory=list)
    lane: int = 0


def products_of(call):
    """The fused kernel makes a level's products one by one."""
    return call["grid"][2] if call["kernel"].startswith("leaf") else 7 if call["kernel"].startswith("fused") else 0


def boxes_of(calls, n, logged, levels, flops, bandwidth):
    """The boxes at order n, of a run that was logged at another, and the names of its lanes. The rates are operations and bytes per
    second. A moment is a time and the number of the box that ended then, or None."""
    product = 2 * (n / 2 ** levels) ** 3
    never = (0, None)
    boxes, free, came, pending, multiplied = [], {}, {}, {}, 0
    for call in calls:
        stream = call["stream"]
        if call["call"] == "record":
            came[call["event"]] = free.get(stream, never)
        elif call["call"] == "wait":
            pending.setdefault(stream, []).append(came.get(call["event"], never))
        elif call["call"] == "launch":
            products, waits = products_of(call), pending.pop(stream, [])
            begin = max([free.get(stream, never)[0], multiplied if products else 0] + [time for time, _ in waits])
            seconds = products * product / flops if products else call["bytes"] * (n / logged) * (n / logged) / bandwidth
            box = Box(call["kernel"], stream, call["grid"], products, begin, begin + seconds * 1e3,
                      list(dict.fromkeys(other for _, other in waits if other is not None)))
            multiplied = box.end if products else multiplied
            free[stream] = (box.end, len(boxes))
            boxes.append(box)
    if sum(box.products for box in boxes) != 7 ** levels:
        svg.fail("the run multiplied another number of products than its levels have")
    return boxes, name_lanes(boxes)


def name_lanes(boxes):
    """Streams with kernels, in the order of their numbers."""
    streams = sorted({box.stream for box in boxes})
    for box in boxes:
        box.lane = streams.index(box.stream)
    multiplying = {box.lane for box in boxes if box.products}
    return ["one stream"] if len(streams) == 1 else ["products" if lane in multiplying else "sums" for lane in range(len(streams))]


def player(calls, n, logged, levels, flops, bandwidth):
    """The same as data for the site's player."""
    boxes, lanes = boxes_of(calls, n, logged, levels, flops, bandwidth)
    steps = [{"stream": box.lane, "kernel": box.kernel.removesuffix("_kernel"), "products": box.products,
              "begin": float(f"{box.begin:.6g}"), "end": float(f"{box.end:.6g}"), "grid": box.grid, "after": box.after}
             for box in boxes]
    return {"n": n, "lanes": lanes, "steps": steps, "flops": flops, "bandwidth": bandwidth}


def colour(box):
    return svg.PALE_BLUE if box.products else svg.PALE_ORANGE if box.kernel.startswith("pack") else \
        svg.PALE_GREEN if "combine" in box.kernel else SUMS


def draw(boxes, lanes, n, levels, flops, bandwidth):
    left, right, top, high, apart = 84, 848, 44, 40, 62
    end, base = max(box.end for box in boxes), top + len(lanes) * apart
    scale = (right - left) / end
    svg.begin(860, base + 92, "Kernels on their streams over time")
    svg.text(12, 24, 15, "start", svg.BLACK, f"Kernels on {len(lanes)} stream{'s' if len(lanes) != 1 else ''} over time: n = {n:g}, "
             f"{levels} levels", bold=True)
    for i, lane in enumerate(lanes):
        svg.text(left - 8, top + i * apart + 25, 13, "end", svg.BLACK, lane)
        svg.box(left, top + i * apart, right - left, high, svg.PALE, "#cccccc", 0.6)
    for box in boxes:  # what a lane waited for, below the boxes
        for other in (boxes[number] for number in box.after):
            down = other.lane < box.lane
            if other.lane != box.lane:
                svg.line(left + other.end * scale, top + other.lane * apart + (high if down else 0), left + box.begin * scale,
                         top + box.lane * apart + (0 if down else high), svg.RED, 1.2)
    for box in boxes:
        x, wide, y = left + box.begin * scale, (box.end - box.begin) * scale, top + box.lane * apart
        svg.box(x, y, max(wide, 1.5), high, colour(box), "#777777", 0.8)
        if wide > 60 and box.products:
            svg.text(x + wide / 2, y + 25, 12, "middle", svg.BLACK, f"{box.products} products")
    draw_axis(left, right, base, scale, end)
    for x, fill, words in (0, svg.PALE_BLUE, "products"), (110, svg.PALE_ORANGE, "pack"), (190, SUMS, "sums of the levels above"), \
            (390, svg.PALE_GREEN, "combine"):
        svg.box(left + x, base + 32, 14, 14, fill, "#777777", 0.8)
        svg.text(left + x + 20, base + 44, 12, "start", svg.BLACK, words)
    svg.line(left + 490, base + 39, left + 512, base + 39, svg.RED, 1.2)
    svg.text(left + 518, base + 44, 12, "start", svg.BLACK, "the later kernel waits for the earlier one")
    svg.text(left, base + 74, 12, "start", svg.GREY, f"A box is as long as its kernel takes alone, at {flops / 1e12:g} TFLOP/s and "
             f"{bandwidth / 1e12:g} TB/s. Products fill the GPU, one launch after the other.")
    svg.end()


def draw_axis(left, right, base, scale, end):
    svg.line(left, base, right, base, svg.GREY, 1)
    tick = 10 ** math.floor(math.log10(end / 4))
    tick *= 5 if end / tick > 20 else 2 if end / tick > 8 else 1
    for i in range(int(end / tick) + 1):
        x = left + i * tick * scale
        svg.line(x, base, x, base + 4, svg.GREY, 1)
        svg.text(x, base + 17, 12, "middle" if i else "start", svg.GREY, f"{i * tick:g}{'' if i else ' ms'}")


def kernels():
    n, logged, levels, flops, bandwidth = 16384, 512, 2, 54e12, 3e12
    calls, _ = svg.log("19-own-leaf.sim", "--variant", "beside", "--n", logged, "--levels", levels)
    draw(*boxes_of(calls, n, logged, levels, flops, bandwidth), n, levels, flops, bandwidth)


if __name__ == "__main__":
    svg.pictures({"kernels": kernels})
