#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""methods.py PICTURE [STEP]: draws products, levels and workspaces of the recursive methods, as SVG, from what a run calls.

  products  step 03's eight products of one level, and the recursion tree of two
  tree      the recursion tree of two levels of step 14 or 15, the last one fused
  levels    two levels of step 14 over GPU8 in single, and of step 17 over dgemm in double
  rows      the same memory as rows and as cuBLAS's columns, in step 11
  buffers   what step 11 takes at each level for Musella's program (his Figure 2.4)"""
import math
from dataclasses import dataclass

import schedule
import svg
from schedule import QUADRANTS
from svg import BLACK, BLUE, EDGE, GREEN, GREY, ORANGE, PALE, PALE_BLUE, PALE_GREEN, PALE_ORANGE

# ---- Step 03 ----


def added_products(levels):
    """(quadrants of A, of B, of C) of the products of a run, which are added to C one by one; of several levels only how many."""
    n, found, before = 16, [], [0] * 4
    for row in svg.run("draw-03", "accumulate", n, n, n, levels, "-", 0, 0):
        if not row.get("changed"):
            continue
        now = row["holds"][8:12]
        if levels > 1:
            found += [] if now == [0] * 4 else [now]
            continue
        for q in range(4):
            change = now[q] - before[q]
            found += [(a, b, q) for a in range(4) for b in range(4) if change == n // 2 * schedule.ALPHA[a] * schedule.BETA[b]]
        before = now
    return found


def marked(x, y, letter, quadrant, colour):
    svg.text(x + 16, y - 5, 12, "middle", GREY, letter)
    for q in range(4):
        svg.box(x + q % 2 * 16, y + q // 2 * 16, 16, 16, colour if q == quadrant else PALE)


def products():
    its, leaves = added_products(1), len(added_products(2))
    if len(its) != 8 or leaves != 64:
        svg.fail(f"{len(its)} products on one level, {leaves} on two")
    svg.begin(828, 400, "The eight products of one level, and the recursion tree of two levels")
    for i, (a, b, c) in enumerate(its):
        x, y, first = 10 + i % 4 * 204, 10 + i // 4 * 98, c not in [other for _, _, other in its[:i]]
        svg.box(x, y, 196, 90, "none", "#dddddd", 1)
        svg.text(x + 10, y + 20, 11, "start", GREY, i + 1)
        svg.text(x + 30, y + 20, 13, "start", BLACK, f"C{QUADRANTS[c]} {'=' if first else '+='} A{QUADRANTS[a]} · B{QUADRANTS[b]}", True)
        marked(x + 14, y + 48, "A", a, BLUE)
        svg.text(x + 62, y + 70, 14, "middle", BLACK, "×")
        marked(x + 78, y + 48, "B", b, ORANGE)
        svg.text(x + 126, y + 70, 16, "middle", BLACK, "→")
        marked(x + 144, y + 48, "C", c, GREEN)
    top, wide, left = 214, 92, 60
    middle = left + 4 * wide
    for i in range(8):
        x = left + (i + 0.5) * wide
        svg.line(middle, top + 24, x, top + 74, EDGE, 1)
        for j in range(leaves // 8):
            leaf = left + i * wide + 6 + (j + 0.5) * (wide - 12) / (leaves / 8)
            svg.line(x, top + 98, leaf, top + 140, EDGE, 0.7)
            svg.box(leaf - 4, top + 140, 8, 14, PALE_GREEN, "#444444")
        svg.box(x - 30, top + 74, 60, 24, PALE_ORANGE, "#444444", 1)
        svg.text(x, top + 91, 13, "middle", BLACK, "n/2")
    svg.box(middle - 30, top, 60, 24, PALE_BLUE, "#444444", 1)
    svg.text(middle, top + 17, 13, "middle", BLACK, "n")
    svg.text(12, top + 152, 13, "start", GREY, "n/4")
    svg.text(middle, top + 176, 12, "middle", GREY, f"Two levels: {leaves} products of order n/4, from left to right. What is in a "
             "cache is used up before the next block needs room.")
    svg.end()


# ---- Launches of two levels ----


@dataclass
class Counted:
    """The operations on blocks of one order."""
    sums: int = 0
    pairs: int = 0
    products: int = 0
    library: int = 0

    def take(self, call):
        name = call["kernel"]
        if name == "gemm":
            self.library += 1
        elif name.startswith(("mul", "gpu8")):
            self.products += 1
        elif "pair" in name:
            self.pairs += 1
        else:
            self.sums += 1


def columns_of(call):
    """A sum's block of threads covers 64 columns, a product's 128 (steps 10 and 12)."""
    return call["m"] if call["kernel"] == "gemm" else call["grid"][0] * (128 if call["kernel"].startswith(("mul", "gpu8")) else 64)


def launches(program, n):
    calls, _ = svg.log(program, "--n", n, "--levels", 2)
    return [call for call in calls if call["call"] == "launch"]


def tree(step):
    n, root, children, inside = 512, Counted(), [], False
    for call in launches({"14": "14-strassen-multilevel.sim", "15": "15-winograd-multilevel.sim"}[step], n):
        if columns_of(call) == n // 2:  # the root's own, which ends the child before it
            root.take(call)
        elif columns_of(call) == n // 4:
            if not inside:
                children.append(Counted())
            children[-1].take(call)
        else:
            svg.fail(f"{call['kernel']} is of no level")
        inside = columns_of(call) != n // 2
    if len(children) != 7 or not children[0].products:
        svg.fail(f"the root has {len(children)} products")
    sums = [one.sums + one.pairs for one in (root, *children)]

    def node(x, y, w, colour, first, second):
        svg.box(x - w / 2, y, w, 40, colour, "#444444", 1)
        svg.text(x, y + 17, 12, "middle", BLACK, first, True)
        svg.text(x, y + 33, 11, "middle", BLACK, second)

    left, wide, root_y, child_y, leaf_y = 92, 100, 16, 116, 216
    middle = left + 7 * wide / 2
    svg.begin(left + 7 * wide + 6, 300, "The recursion tree of two levels, the last one fused")
    for i, child in enumerate(children):
        x = left + (i + 0.5) * wide
        svg.line(middle, root_y + 40, x, child_y, EDGE, 1)
        for j in range(child.products):
            leaf = left + i * wide + 8 + (j + 0.5) * (wide - 16) / child.products
            svg.line(x, child_y + 40, leaf, leaf_y, EDGE, 0.7)
            svg.box(leaf - 4.5, leaf_y, 9, 18, PALE_GREEN, "#444444")
        node(x, child_y, wide - 10, PALE_ORANGE, "fused level", f"{sums[i + 1]} sums")
    node(middle, root_y, 320, PALE_BLUE, "plain level", f"{sums[0]} launches that add, {len(children)} products one level down")
    for y, order in (root_y + 25, "n"), (child_y + 25, "n/2"), (leaf_y + 14, "n/4"):
        svg.text(12, y, 13, "start", GREY, order)
    leaves = sum(child.products for child in children)
    svg.text(middle, leaf_y + 40, 12, "middle", BLACK, f"{leaves} products by GPU8's main loop, each with its sums fused into its store")
    svg.text(middle, leaf_y + 62, 12, "middle", GREY, "The nodes run from left to right, each after the one before it: "
             f"{sum(sums) + root.products + leaves} launches in all.")
    svg.end()


def draw_levels(x, n, calls, name, settings, leaf, inside):
    """Each level's blocks in turn: at depth d there are 7^d of them. The run was 16 times smaller than the chapter's."""
    at = {n >> depth: Counted() for depth in range(3)}
    for call in calls:
        at.get(columns_of(call), at[n]).take(call)
    if at[n] != Counted():
        svg.fail("an operation on blocks of no level")

    def card(y, w, colour, bold, first, second=None):
        svg.box(x - w / 2, y, w, 72, colour, EDGE, 1)
        svg.text(x, y + (24 if second else 30), 14, "middle", BLACK, bold, True)
        svg.text(x, y + (43 if second else 50), 12.5, "middle", "#444444", first)
        if second:
            svg.text(x, y + 60, 12.5, "middle", "#444444", second)

    svg.text(x, 24, 15, "middle", BLACK, name, True)
    svg.text(x, 43, 12.5, "middle", GREY, settings)
    for depth, wide in enumerate((350, 262)):
        below, blocks, y = at[n >> depth + 1], 7 ** depth, 60 + depth * 100  # a level works on quadrants
        fused, leaves = depth == 1 and below.products > 0, below.products + below.library
        if below.sums % blocks or below.pairs % blocks or depth == 1 and leaves != blocks * 7:
            svg.fail("the blocks of a depth do not all ask for the same, or have not seven leaves each")
        card(y, wide, PALE_ORANGE if fused else PALE_BLUE, f"{n * 16 >> depth}: a {'fused' if fused else 'plain'} level",
             f"Figure 12: {below.sums // blocks} sums," if fused else f"Figure 16: {below.sums // blocks} sums, {below.pairs // blocks} pairs",
             "the rest inside the products" if fused else None)
        svg.line(x, y + 72, x, y + 96, GREY, 1.5)
        svg.path(f"M{x:g} {y + 100:g}l-4 -8h8z", GREY)
        svg.text(x + 12, y + 91, 13, "start", GREY, f"× 7: {leaves} in all" if depth else "× 7")
    card(260, 210, PALE, f"{n * 16 >> 2}: {leaf}", inside)
    return at[n >> 2]


def levels():
    n = 512
    svg.begin(800, 350, f"Two levels at n = {n * 16}: over GPU8 the last level is fused, over dgemm both are plain")
    single = draw_levels(195, n, launches("14-strassen-multilevel.sim", n), "single, over GPU8", "step 14, two levels, the last one fused",
                         "GPU8’s main loop", "inside mul, mulIncInc, …")
    calls = [row for row in svg.run("draw-17", "dstrassen", n, n, n, 2, "-", 0, 0) if "kernel" in row]
    double = draw_levels(605, n, calls, "double, over dgemm", "this step, two levels", "cublasDgemm", "each product into one place")
    if not single.products or single.library or not double.library or double.products:
        svg.fail("the leaves are not GPU8 in single and cublasDgemm in double")
    svg.line(400, 10, 400, 340, "#dddddd", 1)
    svg.end()


# ---- Step 11 ----


def rows():
    m, k, n = 4, 6, 10
    arrays, *calls = svg.run("draw-11", "no-copies", m, n, k, 1, "cublas", 0, 0)
    a, b, _, _ = arrays["arrays"]
    in_a, in_b = range(a, a + m * k * 8), range(b, b + k * n * 8)
    quadrant = next((call for call in calls if call["kernel"] != "gemm" and call["x"] == a + k // 2 * 8 and not call["transposes"]), None)
    gemms = [call for call in calls if call["kernel"] == "gemm"]
    if not quadrant or not any(call["x"] in in_b or call["y"] in in_a for call in gemms):
        svg.fail("no call reads A12, or no product reads A or B")
    if any(call["x"] in in_a or call["y"] in in_b or call["transposes"] for call in gemms):
        svg.fail("a product does not exchange its factors")
    high, wide, ld = quadrant["m"], quadrant["n"], quadrant["ldx"]
    if (high, wide, ld) != (k // 2, m // 2, k) or any((call["m"], call["n"], call["k"]) != (n // 2, m // 2, k // 2) for call in gemms):
        svg.fail("A12 is not passed as its transpose, or gemm does not get n, m, k")

    def cell(x, y, side, place):
        svg.box(x, y, side, side, "#bfdcee" if place // k < m // 2 and place % k >= k // 2 else PALE)
        svg.text(x + side / 2, y + side / 2 + 5, 12, "middle", BLACK, place)

    side, top, right = 30, 36, 500
    svg.begin(800, 462, "The same memory seen as rows and as columns: cuBLAS sees every matrix transposed")
    svg.text(20, 24, 14, "start", BLACK, f"ours: rows, ld = {k}", True)
    svg.text(right, 24, 14, "start", BLACK, f"to cuBLAS: columns, ld = {ld}", True)
    for place in range(m * k):
        cell(20 + place % k * side, top + place // k * side, side, place)
        cell(right + place // k * side, top + place % k * side, side, place)
    svg.box(20 + k / 2 * side, top, k / 2 * side, m / 2 * side, "none", BLUE, 2.5)
    svg.box(right, top + (k - high) * side, wide * side, high * side, "none", BLUE, 2.5)
    svg.text(20, top + m * side + 22, 13, "start", GREY, f"quadrant 12: {m // 2} rows × {k // 2} columns, ld = {k}")
    for i, words in enumerate(("the same quadrant:", f"{high} rows × {wide} columns,", f"ld = {ld}")):
        svg.text(right + m * side + 14, top + 3.4 * side + 18 * i, 13, "start", GREY, words)
    strip, left, y = 26, 88, 246
    svg.text(left, y - 8, 13, "start", GREY, f"the same {m * k} places in memory; ld: from one row (to cuBLAS: column) to the next")
    for place in range(m * k):
        cell(left + place * strip, y, strip, place)
    for x in left, left + k * strip:
        svg.line(x, y + strip, x, y + strip + 14, BLACK, 1.2)
    svg.line(left, y + strip + 9, left + k * strip, y + strip + 9, BLACK, 1.2)
    svg.text(left + k * strip / 2, y + strip + 24, 12, "middle", BLACK, f"ld = {k}")
    draw_equations(342)
    svg.end()


def draw_equations(y):
    """C = A B, and what cuBLAS makes of it."""
    def matrix(x, dy, wide, high, colour, name, shape):
        svg.box(x, y + dy, wide, high, colour, EDGE, 1)
        svg.text(x + wide / 2, y + dy + high / 2 - 1, 14, "middle", BLACK, name, True)
        svg.text(x + wide / 2, y + dy + high / 2 + 15, 12, "middle", GREY, shape)

    def sign(x, words):
        svg.text(x, y + 44, 16, "middle", BLACK, words)

    svg.text(20, y + 44, 14, "start", BLACK, "ours", True)
    matrix(70, 0, 100, 76, PALE_GREEN, "C", "m × n")
    sign(182, "=")
    matrix(196, 0, 66, 76, PALE_BLUE, "A", "m × k")
    sign(273, "·")
    matrix(284, 13, 100, 50, PALE_ORANGE, "B", "k × n")
    svg.text(424, y + 34, 14, "start", BLACK, "cuBLAS", True)
    svg.text(424, y + 54, 13, "start", GREY, "gemm(n, m, k,")
    svg.text(424, y + 71, 13, "start", GREY, "  B, A, C)")
    matrix(530, -12, 76, 100, PALE_GREEN, "Cᵀ", "n × m")
    sign(617, "=")
    matrix(628, -12, 50, 100, PALE_ORANGE, "Bᵀ", "n × k")
    sign(688, "·")
    matrix(698, 5, 76, 66, PALE_BLUE, "Aᵀ", "k × m")


def buffers():
    n, names = 256, ("sum of A", "sum of B", "M1", "M2", "M3", "M4", "M5", "M6", "M7")
    above, count, side, top = 0, len(names), 88, 56
    y = top
    svg.begin(100 + count * (side + 4), 300, "The buffers of each level in step 11")
    svg.text(12, 24, 14, "start", BLACK, "One workspace, a set of nine buffers for each level; its seven products use the set below one "
             "after another", True)
    for i, name in enumerate(names):
        svg.text(94 + i * (side + 4) + side // 2, top - 8, 12, "middle", BLACK, name)
    for level in 1, 2, 3:
        row, = svg.run("11-strassen-over-cublas.sim", "--variant", "document", "--n", n, "--levels", level, "--json", "--reps", 0,
                       "--warmup", 0, "--count")
        elements = row["workspace_bytes"] // 4
        half = math.isqrt((elements - above) // count)  # all buffers of a level have the same side
        if count * half * half != elements - above or half != n >> level:
            svg.fail(f"level {level} takes {elements - above} elements")
        shown = side * 2 * half / n
        svg.text(12, y + shown / 2 + 4, 12, "start", BLACK, f"n/{n // half} × n/{n // half}")
        for i in range(count):
            svg.box(94 + i * (side + 4) + (side - shown) / 2, y, shown, shown, PALE_ORANGE if i < 2 else PALE_BLUE, "#444444", 1)
        y += shown + 14
        above = elements
    svg.text(12, y + 16, 12, "start", GREY, f"3 levels take {above / n / n:g} n² elements, all levels together less than 3 n².")
    svg.end()


if __name__ == "__main__":
    svg.pictures({"products": products, "tree": tree, "levels": levels, "rows": rows, "buffers": buffers})
