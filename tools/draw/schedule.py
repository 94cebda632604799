#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""schedule.py plan|calls|products|passes NN: draws one level of step NN, as SVG: what every place holds after each operation
(plan), what each operation reads and writes (calls), what each product is made of and where it goes (products), or how many
quadrants each pass of step 05 moves (passes).

The step ran on matrices whose quadrants each hold one number (trace.c). What a number means, "A21 − A11" or "M1+M6", is found
by trying the sums that the method can make of these numbers; what an operation reads, by running again with NaNs. So a picture cannot contradict the code; where something is not known, it shows nothing."""
import itertools
import math
from dataclasses import dataclass, field

import svg
from svg import BLACK, BLUE, EDGE, GREEN, GREY, ORANGE, PALE, PALE_BLUE, PALE_GREEN, PALE_ORANGE, RED

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
        for row in svg.run(*command):
            self.record(row)
        for one, seen in zip(self.operations, svg.run(*command, *(one.event for one in self.operations))):
            self.look(one, seen["nan"])
        if any(self.numbers.meaning(value)[0] != "M" for value in self.operations[-1].after[8:12]):
            svg.fail("the run left no result in C")

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
                svg.fail(f"{one.kernel} multiplies what is no product of the method")
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
        return svg.fail(f"{one.kernel} is no sum of what it reads")

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


def draw_plan(step):
    level, left, cell, high, top = Level(step), 190, 102, 21, 52
    columns, bottom = len(level.names) - 8, top + len(level.operations) * high
    svg.begin(left + columns * cell + 12, bottom + 48, "What C's quadrants and the temporaries hold after each of the "
              f"{len(level.operations)} operations of one level")
    svg.text(left + 2 * cell, 16, 12, "middle", GREY, "quadrants of the result")
    svg.text(left + (4 + (columns - 4) / 2) * cell, 16, 12, "middle", GREY, "temporaries")
    svg.line(left, 22, left + 4 * cell - 4, 22, GREY, 0.8)
    svg.line(left + 4 * cell + 4, 22, left + columns * cell, 22, GREY, 0.8)
    for c in range(columns):
        svg.text(left + (c + 0.5) * cell, 43, 13, "middle", BLACK, level.names[8 + c], True)
    for i, one in enumerate(level.operations):
        y = top + i * high
        number = level.number(i)
        svg.text(34, y + 15, 10 if len(number) > 2 else 11, "end", GREY, number)
        svg.text(40, y + 15, 12, "start", BLACK, f"{one.kernel} → M{one.product}" if one.product and one.kernel else level.equation(one),
                 bool(one.product))
        for c in range(columns):
            state, (kind, words) = level.state(8 + c, i), level.numbers.meaning(one.after[8 + c])
            shown = state and kind != " "
            colour = GREEN if state == "final" else {"A": PALE_BLUE, "B": PALE_ORANGE, "M": PALE_GREEN}[kind] if shown else "#ffffff"
            svg.box(left + c * cell, y, cell, high, colour if shown else "#ffffff", "#d5d5d5")
            if shown:  # a long text is small, so that it fits in a wide font, too
                svg.text(left + (c + 0.5) * cell, y + 15, 10 if len(words) > 10 else 12, "middle",
                         "#ffffff" if state == "final" else BLACK, words, 8 + c in one.written)
    for i, one in enumerate(level.operations):  # on top of the neighbours' edges
        for c in (p - 8 for p in one.written if p >= 8):
            svg.box(left + c * cell, top + i * high, cell, high, "none", BLACK, 1.6)
    svg.line(left + 4 * cell, 26, left + 4 * cell, bottom, BLACK, 1.4)
    for x, colour, stroke, words in ((20, PALE_BLUE, EDGE, "sum of A"), (112, PALE_ORANGE, EDGE, "sum of B"),
                                     (204, PALE_GREEN, EDGE, "product, or part of a result"), (400, GREEN, EDGE, "final"),
                                     (474, "#ffffff", BLACK, "written by this operation"), (654, "#ffffff", "#d5d5d5", "nothing still needed")):
        svg.key(x, bottom + 10, colour, words, stroke)
    svg.text(20, bottom + 42, 12, "start", GREY, "Bold at the left: the seven products. " + (
        "S1 to S8 are the sums of quadrants, V1 = M1 + M2, V2 = V1 + M4." if level.method is WINOGRAD else
        "Sums are of A's or B's quadrants. A white cell may be overwritten."))
    svg.end()


def draw_place(one, place, x, y, inside=""):
    """Blue where it is read, red where it is written, both where it is both."""
    read, written = place in one.read, place in one.written
    svg.box(x, y, 20, 20, RED if written else BLUE if read else PALE)
    if read and written:
        svg.path(f"M{x:g} {y:g}h20l-20 20z", BLUE)
    if inside:
        svg.text(x + 10, y + 14, 11, "middle", "#ffffff" if read or written else EDGE, inside)


def draw_calls(step):
    level = Level(step)
    columns, wide, high = (3, 262, 122) if level.extra else (4, 196, 122)
    rows = math.ceil(len(level.operations) / columns)
    svg.begin(20 + columns * (wide + 8), 12 + rows * (high + 8) + 40, "Which quadrants and temporaries each of the "
              f"{len(level.operations)} operations of one level reads and writes")
    for i, one in enumerate(level.operations):
        x, y = 10 + i % columns * (wide + 8), 12 + i // columns * (high + 8)
        svg.box(x, y, wide, high, "none", "#dddddd", 1)
        svg.text(x + 10, y + 20, 11, "start", GREY, level.number(i))
        svg.text(x + 50, y + 20, 13, "start", BLACK, one.kernel, True)
        if one.product:
            svg.text(x + wide - 10, y + 20, 13, "end", BLACK, f"M{one.product}", True)
        svg.text(x + 10, y + 39, 12, "start", BLACK, level.equation(one))
        for array, letter in enumerate("ABC"):
            svg.text(x + 30 + 48 * array, y + 60, 12, "middle", GREY, letter)
            for q in range(4):
                draw_place(one, 4 * array + q, x + 10 + 48 * array + q % 2 * 20, y + 66 + q // 2 * 20)
        for t, name in enumerate(level.names[12:]):  # two rows: T1 over T2, or a over b and then M1 to M7
            row, column = (t, 0) if t < 2 else ((t - 2) // 4, 1 + (t - 2) % 4)
            draw_place(one, 12 + t, x + 156 + 20 * column, y + 66 + 20 * row, name[-1])
        svg.text(x + 166, y + 60, 12, "middle", GREY, "" if level.extra else "T")
        if level.extra:
            svg.text(x + 216, y + 60, 12, "middle", GREY, "M")
    y = 12 + rows * (high + 8) + 8
    svg.key(12, y, BLUE, "read")
    svg.key(90, y, RED, "written")
    svg.box(178, y, 14, 14, RED)
    svg.path(f"M178 {y:g}h14l-14 14z", BLUE)
    svg.text(198, y + 12, 12, "start", BLACK, "read, then written")
    svg.text(340, y + 12, 12, "start", GREY, "a, b and M1 to M7 are quadrants of their own" if level.extra else "T: the temporaries T1 and T2")
    svg.end()


def draw_signs(coefficients, x, y, letter):
    """Four quadrants with + and − where a coefficient is 1 or −1."""
    svg.text(x + 18, y - 6, 12, "middle", GREY, letter)
    for q, c in enumerate(coefficients):
        svg.box(x + q % 2 * 18, y + q // 2 * 18, 18, 18, (PALE, BLUE, ORANGE)[c])
        if c:
            svg.text(x + q % 2 * 18 + 9, y + q // 2 * 18 + 14, 14, "middle", "#ffffff" if c > 0 else BLACK, "+" if c > 0 else "−", True)


def draw_products(step):
    level, wide, high = Level(step), 252, 96
    results = level.operations[-1].after[8:12]
    of_c = [next(code[::-1] for code in itertools.product((0, 1, -1), repeat=7) if dot(code[::-1], level.numbers.products) == value)
            for value in results]
    svg.begin(20 + 3 * (wide + 8), 12 + 3 * (high + 8) + 30,
              "The seven products: which quadrants enter with which sign, and where each product goes")
    for i, factors in enumerate(level.method):
        x, y = 10 + i % 3 * (wide + 8), 12 + i // 3 * (high + 8)
        left, right = (names[dot(f, values)] for f, values, names in zip(factors, (ALPHA, BETA), level.numbers.sums))
        svg.box(x, y, wide, high, "none", "#dddddd", 1)
        svg.text(x + 10, y + 20, 13, "start", BLACK, f"M{i + 1}", True)
        svg.text(x + 40, y + 20, 13, "start", GREY, "= " + " ".join(f"({name})" if " " in name else name for name in (left, right)))
        draw_signs(factors[0], x + 12, y + 52, "A")
        svg.text(x + 64, y + 75, 14, "middle", BLACK, "×")
        draw_signs(factors[1], x + 80, y + 52, "B")
        svg.text(x + 146, y + 75, 16, "middle", BLACK, "→")
        draw_signs([c[i] for c in of_c], x + 176, y + 52, "C")
    x, y = 10 + wide + 8, 12 + 2 * (high + 8)
    svg.text(x + 10, y + 20, 13, "start", BLACK, "C collects:", True)
    for q, value in enumerate(results):
        svg.text(x + 10 + q % 2 * 200, y + 46 + q // 2 * 22, 13, "start", BLACK, f"{level.names[8 + q]} = {level.numbers.combined[value][1]}")
    y = 12 + 3 * (high + 8) + 6
    svg.key(12, y, BLUE, "the quadrant enters, or the product is added")
    svg.key(310, y, ORANGE, "subtracted")
    svg.key(420, y, PALE, "not used")
    svg.end()


CELL, ROW, NAMES = 24, 18, 160


def draw_passes_of(level, headline, top):
    """A row for each operation, a column for each place. Counted are the quadrants that a pass over memory reads and writes; of a
    product only the quadrants that it is added to count."""
    in_all, y, right = 0, top + 40, NAMES + len(level.names) * CELL + 4 * 8
    svg.text(10, top + 14, 14, "start", BLACK, headline, True)
    for p, name in enumerate(level.names):
        svg.text(NAMES + (p + 0.5) * CELL + p // 4 * 8, y - 6, 10, "middle", BLACK, name, True)
    svg.text(right + 34, y - 6, 11, "end", GREY, "moved")
    for one in level.operations:
        moved = len(one.summands()) + (0 if one.product else len(one.written))
        svg.text(10, y + 13, 12, "start", BLACK, level.equation(one) if len(one.written) <= 2 else
                 "combine" if {8, 9} & set(one.written) else "sums of A" if 0 in one.read else "sums of B", bool(one.product))
        for p in range(len(level.names)):
            x, read, written = NAMES + p * CELL + p // 4 * 8, one.read.get(p), p in one.written
            svg.box(x, y, CELL, ROW, "none", "#e4e4e4", 0.6)
            if read in (2, 3):
                svg.text(x + CELL / 2, y + 13, 12, "middle", GREY, "×")
            elif one.product and written and not read:
                svg.box(x + 7, y + 4, 10, 10, "none", "#444444", 1.2)
            elif read or written:
                pale = (PALE_BLUE, PALE_ORANGE, PALE_GREEN)[p // 4] if p < 12 else "#dddddd"
                svg.fill(x + 3, y + 3, CELL - 6, ROW - 6, pale if read else "#444444")
                if read and written:
                    svg.path(f"M{x + CELL - 3:g} {y + 3:g}v{ROW - 6} h{6 - CELL}z", "#444444")
        if moved:
            svg.text(right + 34, y + 13, 12, "end", BLACK, moved)
        in_all += moved
        y += ROW
    svg.text(right + 34, y + 16, 12, "end", BLACK, f"quadrants moved by passes: {in_all}", True)
    return y + 34


def draw_passes(step):
    plain, fused = Level(step), Level(step, FUSED, FUSED_STRIDE)
    rows = len(plain.operations) + len(fused.operations)
    svg.begin(NAMES + len(fused.names) * CELL + 4 * 8 + 48, rows * ROW + 2 * 76 + 66, "The quadrants that each pass reads and writes")
    y = draw_passes_of(plain, "figure3: one sum at a time", 4)
    y = draw_passes_of(fused, "fused: every quadrant is read once", y) + 6
    svg.key(10, y, PALE_BLUE, "read (A blue, B yellow, C green, sums grey)", "none")
    svg.key(290, y, "#444444", "written", "none")
    svg.fill(380, y, 14, 14, "#dddddd")
    svg.path(f"M394 {y:g}v14h-14z", "#444444")
    svg.text(400, y + 12, 12, "start", BLACK, "read and written")
    svg.text(14, y + 34, 12, "start", GREY, "×")
    svg.text(30, y + 34, 12, "start", BLACK, "a factor of a product")
    svg.box(182, y + 24, 10, 10, "none", "#444444", 1.2)
    svg.text(200, y + 34, 12, "start", BLACK, "where a product is stored")
    svg.end()


if __name__ == "__main__":
    svg.pictures({"plan": draw_plan, "calls": draw_calls, "products": draw_products, "passes": draw_passes})
