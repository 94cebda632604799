#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""schedule.py NN: the operations of one level of step NN: what each reads and writes, and what every place holds after it. The
pictures of steps 04, 05 and 11 to 15 show this (facts.py), and the site's players step through it (docs/site/players.py).

The step ran on matrices whose quadrants each hold one number (trace.c). What a number means, "A21 − A11" or "M1+M6", is found
by trying the sums that the method can make of these numbers; what an operation reads, by running again with NaNs. Where
something is not known, nothing is said."""
import itertools
import math
import sys
from dataclasses import dataclass, field

import logs

QUADRANTS = "11", "12", "21", "22"
ALPHA, BETA = (1009, 2741, 7919, 5003), (4327, 1637, 3571, 9661)  # what trace.c puts into A's and B's
# Coefficients of the quadrants in the factors of M1 to M7.
STRASSEN = (((1, 0, 0, 1), (1, 0, 0, 1)), ((0, 0, 1, 1), (1, 0, 0, 0)), ((1, 0, 0, 0), (0, 1, 0, -1)), ((0, 0, 0, 1), (-1, 0, 1, 0)),
            ((1, 1, 0, 0), (0, 0, 0, 1)), ((-1, 0, 1, 0), (1, 1, 0, 0)), ((0, 1, 0, -1), (0, 0, 1, 1)))
WINOGRAD = (((-1, 0, 1, 1), (1, -1, 0, 1)), ((1, 0, 0, 0), (1, 0, 0, 0)), ((0, 1, 0, 0), (0, 0, 1, 0)), ((1, 0, -1, 0), (0, -1, 0, 1)),
            ((0, 0, 1, 1), (-1, 1, 0, 0)), ((1, 1, -1, -1), (0, 0, 0, 1)), ((0, 0, 0, 1), (1, -1, -1, 1)))
# S1 to S4 of A, S5 to S8 of B.
WINOGRAD_SUMS = ((0, 0, 1, 1), (-1, 0, 1, 1), (1, 0, -1, 0), (1, 1, -1, -1)), ((-1, 1, 0, 0), (1, -1, 0, 1), (0, -1, 0, 1), (1, -1, -1, 1))

# Of each step: variant, n, leaf, temporaries, method, and the name of its recursive products.
STEPS = {"04": ("two", 64, "ikj", "T1 T2", STRASSEN, ""), "05": ("figure3", 64, "ikj", "T1 T2", WINOGRAD, ""),
         "11": ("document", 256, "-", "a b M1 M2 M3 M4 M5 M6 M7", STRASSEN, ""), "12": ("strassen", 256, "-", "T1 T2", STRASSEN, ""),
         "13": ("winograd", 256, "-", "T1 T2", WINOGRAD, ""), "14": ("strassen", 256, "-", "T1 T2", STRASSEN, "strassen"),
         "15": ("winograd", 256, "-", "T1 T2", WINOGRAD, "winograd")}
# The fused level's sums are a quadrant and nine cache lines of floats apart (fused.c, STAGGER).
FUSED, FUSED_STRIDE = ("fused", 64, "ikj", "S1 S2 S3 S4 S5 S6 S7 S8", WINOGRAD, ""), 32 * 32 + 144


def dot(coefficients, values):
    return sum(c * value for c, value in zip(coefficients, values))


def terms(coefficients, names, plus, minus):
    """"A21 − A11", or "" of nothing."""
    said = "".join((minus if c < 0 else plus) + name for c, name in zip(coefficients, names) if c)
    return said.removeprefix(plus) if said.startswith(plus) else said.replace(minus, "−", 1)


class Numbers:
    """What the numbers mean in a method at order n. `named`: Winograd's sums have their names."""

    def __init__(self, method, half, named=True):
        self.products = [half * dot(a, ALPHA) * dot(b, BETA) for a, b in method]
        winograd = method is WINOGRAD and named
        self.sums = [self.names_of_sums(letter, values, WINOGRAD_SUMS[i] if winograd else (), 4 * i + 1)
                     for i, (letter, values) in enumerate((("A", ALPHA), ("B", BETA)))]
        names, values = [f"M{i}" for i in range(1, 8)], self.products
        if winograd:
            v1 = values[0] + values[1]
            names, values = ["V2", "V1"] + names, [v1 + values[3], v1] + values
        self.combined = {}  # the one with the fewest terms
        for code in itertools.product((0, 1, -1), repeat=len(names)):
            code = code[::-1]
            value, count = dot(code, values), sum(map(abs, code))
            if value and count < self.combined.get(value, (99,))[0]:
                self.combined[value] = count, terms(code, names, "+", "−")

    @staticmethod
    def names_of_sums(letter, values, named, first):
        """{number: the sum of a factor's quadrants}; what is added comes first, and a sum of nothing has no name."""
        found = {}
        for code in itertools.product((-1, 0, 1), repeat=4):
            order = sorted(range(4), key=lambda i, code=code: -code[i])
            found.setdefault(dot(code, values), terms([code[i] for i in order], [letter + QUADRANTS[i] for i in order], " + ", " − "))
        for i, sum_ in enumerate(named, first):
            found.update({dot(sum_, values): f"S{i}", -dot(sum_, values): f"−S{i}"})
        return {value: name for value, name in found.items() if value}

    def meaning(self, value):
        """A, B: a sum of its quadrants; M: of products; " ": nothing was written yet; None: not known. And its words."""
        if math.isnan(value):
            return " ", ""
        for kind, names in zip("AB", self.sums):
            if value in names:
                return kind, names[value]
        return ("M", self.combined[value][1]) if value in self.combined else (None, "")


@dataclass
class Operation:
    """read: 1 in place of its element, 2 as left factor, 3 as right, of those places that are read. product: 1 to 7, or 0."""
    event: int
    kernel: str
    before: list
    after: list
    written: list
    read: dict = field(default_factory=dict)
    product: int = 0

    def factors(self):
        return sorted(p for p, role in self.read.items() if role > 1)

    def summands(self):
        return sorted(p for p, role in self.read.items() if role == 1)

    def figure_steps(self):
        """The figures of Li et al. (2011) count a fused kernel as its product and each sum in it."""
        return 1 + (len(self.summands()) if self.product else 0)


class Level:
    """The operations of a level, as its run shows them."""

    def __init__(self, step, about=None, stride=0, named=True):
        variant, n, leaf, temporaries, self.method, self.recursive = about or STEPS[step]
        temporaries = temporaries.split()
        self.names = [letter + quadrant for letter in "ABC" for quadrant in QUADRANTS] + temporaries
        self.numbers, self.half = Numbers(self.method, n // 2, named), n // 2
        command = [f"draw-{step}", variant, n, n, n, 1, leaf, len(temporaries), stride or self.half ** 2]
        self.operations, self.extra = [], len(temporaries) > 2
        for row in logs.run(*command):
            self.record(row)
        for one, seen in zip(self.operations, logs.run(*command, *(one.event for one in self.operations))):
            self.look(one, seen["nan"])
        if any(self.numbers.meaning(value)[0] != "M" for value in self.operations[-1].after[8:12]):
            logs.fail("the run left no result in C")

    def record(self, row):
        """Between two operations, and within one, some places hold several numbers or one that has no meaning."""
        holds = row.get("holds", [None])
        if None in holds or any(self.numbers.meaning(value)[0] is None for value in holds):
            return
        before = self.operations[-1].after if self.operations else [*ALPHA, *BETA] + [math.nan] * (len(holds) - 8)
        written = [p for p, (old, new) in enumerate(zip(before, holds)) if old != new and not math.isnan(new)]
        if written:
            kernel = row["kernel"].removesuffix("_kernel")
            self.operations.append(Operation(row["event"], "mul" if kernel == "gpu8" else kernel, before, holds, written))

    def look(self, one, nan):
        for p in range(len(self.names)):
            bits = [nan[y][p] for y in one.written]
            role = next((2 if bit & 1 else 3 for bit in bits if bit & 3), 1 if any(bits) else 0)
            if role:
                one.read[p] = role
        if one.factors():
            roles = {one.read[p]: one.before[p] for p in one.factors()}
            value = roles.get(2, 0) * roles.get(3, 0) * self.half
            one.product = next((i + 1 for i, product in enumerate(self.numbers.products) if product in (value, -value)), 0)
            if not one.product:
                logs.fail(f"{one.kernel} multiplies what is no product of the method")
            one.kernel = self.recursive or one.kernel

    def list_of(self, places):
        return ", ".join(self.names[p] for p in places)

    def equation(self, one):
        """Z = X − Y, the signs found by trying; or (Y, Z) ← X where several places are written."""
        to, several, target = self.list_of(one.written), len(one.written) > 1, one.written[-1]
        others = self.list_of(p for p in one.summands() if p not in one.written)
        if one.product:
            left, right = (self.list_of(p for p in one.factors() if one.read[p] == role) for role in (2, 3))
            sign = "←" if several else "+=" if one.read.get(target) == 1 else "="
            return f"{to} {sign} {left} × {right}" if several or not others else f"{to} = {left} × {right} + {others}"
        if several:
            return f"({to}) ← {others}"
        reads = one.summands()
        for signs in itertools.product((1, -1), repeat=len(reads)):
            if dot(signs[::-1], [one.before[p] for p in reads]) == one.after[target]:
                order = sorted(range(len(reads)), key=lambda i, s=signs[::-1]: -s[i])
                return f"{to} = {terms([signs[::-1][i] for i in order], [self.names[reads[i]] for i in order], ' + ', ' − ')}"
        return logs.fail(f"{one.kernel} is no sum of what it reads")

    def number(self, index):
        first = 1 + sum(one.figure_steps() for one in self.operations[:index])
        last = first + self.operations[index].figure_steps() - 1
        return f"{first}" if first == last else f"{first}–{last}"

    def state(self, place, index):
        """Of what a place holds after an operation: "final", the result; "needed", read before it is lost; or ""."""
        later = self.operations[index + 1:]
        if 8 <= place < 12 and not any(place in one.written for one in later):
            return "final"
        return "needed" if place in next((one.read for one in later if place in one.read or place in one.written), ()) else ""


def tell(level):
    """The operations of a level in words: what each reads and writes, and what is needed later. "!" marks a final result."""
    for i, one in enumerate(level.operations):
        held = []
        for p in range(8, len(level.names)):
            state, (kind, words) = level.state(p, i), level.numbers.meaning(one.after[p])
            held += [f"{level.names[p]}{'!' if state == 'final' else ''} {words}"] if state and kind != " " else []
        name = f"{one.kernel} → M{one.product}: " if one.product else f"{one.kernel}: " if one.kernel else ""
        print(f"{level.number(i)} {name}{level.equation(one)} | reads {level.list_of(one.read)} | {'; '.join(held)}")


def main():
    step = sys.argv[1] if len(sys.argv) == 2 and sys.argv[1] in STEPS else None
    if not step:
        print(f"usage: schedule.py {'|'.join(STEPS)}", file=sys.stderr)
        return 2
    tell(Level(step))
    if step == "05":
        tell(Level(step, FUSED, FUSED_STRIDE))
    return 0


if __name__ == "__main__":
    sys.exit(main())
