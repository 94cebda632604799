#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""order.py PROGRAM: the order in which step 21's variant fp16-beside works in streams, from the simulated GPU's log of calls: the
sums of the next strip may run while a strip is multiplied, and nothing is read before it is written or overwritten before it was
read. The simulated GPU serves streams at once, so a missing wait shows only here, not in the result."""
import json
import subprocess
import sys
from dataclasses import dataclass

STRIPS = 4
MULTIPLY, JOIN, FACTORS, REPAIR = "multiply", "join_one_level_kernel", "factors", "repair"
EARLY = {384: MULTIPLY, 16: REPAIR}  # launch_early() does not pass a name: by the threads along x
mistakes = 0


@dataclass
class Launch:
    """`after`: how many launches of each stream are certainly over when it starts, itself included."""
    kernel: str
    stream: int
    after: dict

    def is_before(self, other):
        return self is not other and other.after.get(self.stream, 0) >= self.after[self.stream]


def launches_of(program):
    """The caller's work in stream 0 before the product is the launch "before"; what comes after all is "after"."""
    ran = subprocess.run([program, "--variant", "fp16-beside", "--n", "64", "--levels", "1", "--reps", "0", "--warmup", "0", "--count",
                          "--quiet", "--calls"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True, text=True)
    streams, events, launches = {0: {0: 1}}, {}, [Launch("before", 0, {0: 1})]
    for row in (json.loads(line) for line in ran.stdout.splitlines() if line.startswith('{"call"')):
        now = streams.setdefault(row["stream"], {})
        if row["call"] == "launch":
            now[row["stream"]] = now.get(row["stream"], 0) + 1
            name = EARLY.get(row["block"][0]) if row["kernel"] == "the kernel" else row["kernel"]
            launches.append(Launch(name, row["stream"], dict(now)))
        elif row["call"] == "record":
            events[row["event"]] = dict(now)
        elif row["call"] == "wait":
            for stream, count in events.get(row["event"], {}).items():
                now[stream] = max(now.get(stream, 0), count)
    streams[0][0] += 1
    return launches + [Launch("after", 0, streams[0])]


def main(program):
    launches = launches_of(program)

    def launch(kernel, number):
        return [one for one in launches if one.kernel == kernel][number]

    def expect(first, i, second, j, ordered):
        global mistakes
        x, y = launch(first, i), launch(second, j)
        if not x.is_before(y) if ordered else x.is_before(y) or y.is_before(x):
            print(f"{first} {i} must {'be over before' if ordered else 'not wait for, nor be awaited by,'} {second} {j}")
            mistakes += 1

    right, left = 0, 1  # the first launch for the factors makes B's, the others A's strips
    expect("before", 0, FACTORS, right, True)
    expect(FACTORS, right, MULTIPLY, 0, True)
    for i in range(STRIPS):
        expect("before", 0, FACTORS, left + i, True)
        expect(FACTORS, left + i, MULTIPLY, i, True)
        expect(MULTIPLY, i, JOIN, i, True)
        expect(JOIN, i, REPAIR, i, True)
        expect(REPAIR, i, "after", 0, True)
        if i + 1 < STRIPS:  # the purpose of the variant
            expect(MULTIPLY, i, FACTORS, left + i + 1, False)
        if 0 < i < STRIPS - 1:
            expect(JOIN, i - 1, MULTIPLY, i, False)
        if i + 2 < STRIPS:  # whose buffer it is then
            expect(MULTIPLY, i, FACTORS, left + i + 2, True)
            expect(JOIN, i, MULTIPLY, i + 2, True)
    print(f"{mistakes} mistakes")
    return mistakes > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
