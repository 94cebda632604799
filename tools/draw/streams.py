# SPDX-License-Identifier: MIT
"""The kernels of step 19 on their streams over time, as the picture 19-beside shows them, for the site's player
(docs/site/players.py). A product takes as long as its operations at a rate, a sum as long as its bytes at another. A kernel
begins when its stream is free and the events that its stream waits for have come. A launch of products fills the GPU, so one
that was asked for later also waits for the products before it; sums run at the same time."""
from dataclasses import dataclass, field

import logs


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
        logs.fail("the run multiplied another number of products than its levels have")
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
