#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""loops.py orders|nest|sums: draws loops of the processor's steps, as SVG, from what they really touch.

  orders  how the innermost loop of each loop order of step 01 walks through A, B and C (orders.c)
  nest    the loop nest of step 02's packed product, and which cache keeps which part (packed.c)
  sums    the same loops three times, with the places where step 05's sums of one level happen (packed.c)"""
import svg
from svg import BLACK, BLUE, EDGE, GREEN, GREY, ORANGE, PALE, PALE_BLUE, PALE_GREEN, PALE_ORANGE, RED

# ---- Loop orders ----

N, LINE = 16, 16  # elements in a row, and in a cache line


def new_lines(places):
    """New cache lines for each turn of the innermost loop; none where an operand stays put."""
    return 0 if places[0] == places[1] else len({place // LINE for place in places[:N]}) / N


def moves(places):
    """The direction in which an operand has moved when the innermost loop begins again."""
    (row, column), (to_row, to_column) = divmod(places[0], N), divmod(places[N], N)
    return {(1, 0): "down", (0, 1): "right", (0, 0): "same"}.get((to_row - row, to_column - column), "?")


def orders():
    cell, wide, high, side = 5, 272, 152, N * 5
    svg.begin(3 * (wide + 8) + 12, 2 * (high + 8) + 68, "What each of the six loop orders walks along in A, B and C")
    for number, row in enumerate(svg.run("draw-01", "ikj", "ijk", "jki", "kij", "jik", "kji")):
        x, y, walks = 10 + number % 3 * (wide + 8), 10 + number // 3 * (high + 8), list(zip(*row["touched"]))
        svg.box(x, y, wide, high, "none", "#dddddd", 1)
        svg.text(x + 10, y + 20, 14, "start", BLACK, row["order"], True)
        for i, (letter, places) in enumerate(zip("ABC", walks)):
            left, top = x + 8 + i * (side + 8), y + 46
            svg.text(left + side / 2, top - 5, 12, "middle", GREY, letter)
            svg.box(left, top, side, side, PALE, "#aaaaaa")
            for place in places[:N]:
                svg.fill(left, top + place // N * cell, side, cell, PALE_BLUE)
            for place in places[:N]:
                svg.fill(left + place % N * cell + 0.5, top + place // N * cell + 0.5, cell - 1, cell - 1, RED if letter == "C" else BLUE)
        svg.text(x + wide - 10, y + 20, 12, "end", GREY, f"{sum(map(new_lines, walks)) * N:g}/{N} new lines a step")
        svg.text(x + 10, y + high - 9, 12, "start", GREY, "then: A {}, B {}, C {}".format(*map(moves, walks)))
    y = 2 * (high + 8) + 20
    for x, w, colour, words in (12, 14, BLUE, "read"), (80, 14, RED, "read and written"), \
            (220, 28, PALE_BLUE, "a cache line that the innermost loop needs"):
        svg.fill(x, y, w, 14, colour)
        svg.text(x + w + 6, y + 12, 12, "start", BLACK, words)
    svg.text(12, y + 36, 12, "start", GREY, "16 × 16 floats, row-major: a row is one cache line of 64 bytes. "
             "All 16 turns of the innermost loop, and where it begins again.")
    svg.end()


# ---- The loop nest ----

C_AT, A_AT, B_AT = 262, 394, 528
TILE = "#009E73"


def draw_part(x, y, scale, whole, part, colours, above="", beside=""):
    """A matrix of (rows, columns) around (x, y), with its part (row, column, rows, columns)."""
    left, top = x - whole[1] * scale / 2, y - whole[0] * scale / 2
    part_left, part_top = left + part[1] * scale, top + part[0] * scale
    svg.box(left, top, whole[1] * scale, whole[0] * scale, colours[0])
    svg.box(part_left, part_top, part[3] * scale, part[2] * scale, colours[1])
    if above:
        svg.text(part_left + part[3] * scale / 2, top - 4, 12, "middle", GREY, above)
    if beside:
        svg.text(left - 4, part_top + part[2] * scale / 2 + 4, 12, "end", GREY, beside)


def loop(y, words):
    svg.text(16, y, 12.5, "start", BLACK, words, more=' font-family="monospace" xml:space="preserve"')


def stays(y, colour, where, what, *why):
    if colour:
        svg.fill(612, y - 9, 10, 10, colour)
    svg.text(628 if colour else 612, y, 13, "start", BLACK, where, True)
    svg.text(612, y + 21, 12, "start", BLACK, what)
    svg.text(612, y + 38, 12, "start", GREY, why[0])
    svg.text(612, y + 55, 12, "start", GREY, why[1])


def tiles_of(rows):
    """[(row, column), rows, columns] of the first tiles of C, in the order in which they change."""
    tiles = []
    for row in rows:
        if not tiles or tiles[-1][0] != row["tile"]:
            if len(tiles) == 4:
                break
            tiles.append([row["tile"], 0, 0])
        for i in range(2):
            tiles[-1][i + 1] = max(tiles[-1][i + 1], row["element"][i] + 1 - row["tile"][i])
    return tiles


def in_order(first, second, inner, outer, what):
    """Of two coordinates the inner one changes from the first to the second part, the outer one stays."""
    if first[inner] == second[inner] or first[outer] != second[outer]:
        svg.fail(f"{what} is not the order of the loops")


def nest():
    m, n, k = 48, 72, 64
    rows = svg.run("draw-02", "blocks", m, n, k)
    panels, blocks = ([row for row in rows if row.get("part") == part] for part in "BA")
    tiles = tiles_of(row for row in rows if "tile" in row)
    in_order(*panels[:2], "l", "j", "pc inside jc")
    in_order(*blocks[:2], "i", "l", "ic inside pc")
    in_order(tiles[0][0], tiles[1][0], 0, 1, "i inside j")
    # The picture shows the second part of each, which is in its middle.
    nc, kc, mc, mr, nr = panels[0]["cols"], panels[0]["kc"], blocks[0]["rows"], *tiles[0][1:]
    jc, pc, ic, i = nc, panels[1]["l"], blocks[1]["i"], tiles[1][0][0]
    nc_is, kc_is, mc_is, nr_is, mr_is = f"nc = {nc}", f"kc = {kc}", f"mc = {mc}", f"nr = {nr}", f"mr = {mr}"
    svg.begin(800, 612, "The loop nest of the packed product: at each loop, which part of A, B and C is in use and which cache keeps it")
    svg.text(16, 24, 12.5, "start", GREY, "loop")
    for x, letter in (C_AT, "C"), (A_AT, "A"), (B_AT, "B"):
        svg.text(x, 24, 14, "middle", BLACK, letter, True)
    svg.text((C_AT + A_AT) / 2, 24, 13, "middle", GREY, "+=")
    svg.text((A_AT + B_AT) / 2, 24, 14, "middle", GREY, "×")
    svg.text(612, 24, 12.5, "start", GREY, "what stays where")
    for row in range(1, 5):
        svg.line(16, 36 + row * 106, 784, 36 + row * 106, "#dddddd", 1)

    y, s = 94, min(84 / n, 76 / k)
    loop(y - 8, "for jc, steps of nc")
    loop(y + 10, "for pc, steps of kc")
    draw_part(C_AT, y, s, (m, n), (0, jc, m, nc), (PALE, PALE_GREEN), nc_is)
    draw_part(A_AT, y, s, (m, k), (0, pc, m, kc), (PALE, PALE_BLUE), kc_is)
    draw_part(B_AT, y, s, (k, n), (pc, jc, kc, nc), (PALE, ORANGE), nc_is, kc_is)
    stays(y - 34, ORANGE, "L3", "panel of B, kc × nc", "half of L3 or less;", "shared by all threads")

    y, s = y + 106, min(84 / nc, 76 / m)
    loop(y, "  for ic, steps of mc")
    draw_part(C_AT, y, s, (m, nc), (ic, 0, mc, nc), (PALE, PALE_GREEN), "", mc_is)
    draw_part(A_AT, y, s, (m, kc), (ic, 0, mc, kc), (PALE, BLUE), "", mc_is)
    draw_part(B_AT, y, s, (kc, nc), (0, 0, kc, nc), (ORANGE, ORANGE), nc_is, kc_is)
    stays(y - 34, BLUE, "L2", "block of A, mc × kc", "half of L2;", "one for each thread")

    y, s = y + 106, min(72 / nc, 70 / kc)
    loop(y, "    for j, steps of nr")
    draw_part(C_AT, y, s, (mc, nc), (0, nr, mc, nr), (PALE, PALE_GREEN), nr_is)
    draw_part(A_AT, y, s, (mc, kc), (0, 0, mc, kc), (BLUE, BLUE), kc_is)
    draw_part(B_AT, y, s, (kc, nc), (0, nr, kc, nr), (PALE_ORANGE, ORANGE), nr_is, kc_is)
    stays(y - 34, ORANGE, "L1", "kc rows of nr of B", "half of L1; the other half is", "for A, read from L2")

    y, s = y + 106, 70 / kc
    loop(y, "      for i, steps of mr")
    draw_part(C_AT, y, s, (mc, nr), (i, 0, mr, nr), (PALE, TILE), nr_is, mr_is)
    draw_part(A_AT, y, s, (mc, kc), (i, 0, mr, kc), (PALE_BLUE, BLUE), kc_is)
    draw_part(B_AT, y, s, (kc, nr), (0, 0, kc, nr), (ORANGE, ORANGE), nr_is, kc_is)
    stays(y - 34, TILE, "registers", "tile of C, mr × nr", "2 mr for C, 2 for B, 1 for A;", "C written once per kc steps")

    y, vector, high = y + 112, 42, 11
    loop(y, "        for l")
    for row in range(mr):
        for v in range(2):
            svg.box(C_AT + (v - 1) * vector, y + (row - mr / 2) * high, vector, high, TILE, "#ffffff")
        svg.box(A_AT - high / 2, y + (row - mr / 2) * high, high, high, BLUE, "#ffffff")
    for v in range(2):
        svg.box(B_AT + (v - 1) * vector, y - high / 2, vector, high, ORANGE, "#ffffff")
    svg.text(C_AT, y - mr * high / 2 - 4, 12, "middle", GREY, "2 vectors")
    svg.text(C_AT - vector - 4, y + 4, 12, "end", GREY, mr_is)
    svg.text(B_AT, y - high / 2 - 4, 12, "middle", GREY, nr_is)
    stays(y - 20, None, "one step", "mr + 2 loads,", "2 mr fused multiply-adds", "of vectors")
    svg.text(16, 586, 12, "start", GREY, "Full colour: kept in a cache or in registers while the loops below run. Pale: walked through.")
    svg.text(16, 603, 12, "start", GREY, f"Shown: m = {m}, n = {n} and k = {k}, cut small.")
    svg.end()


# ---- Sums in the nest ----

ORDER, WIDTH, TOP, GAP, BROWN = 64, 330, 66, 14, "#8a3c00"


def stage(x, y, right, foot, words, sums=None):
    """A loop or a stage: a box whose right side and foot are those of its column; orange where sums happen."""
    svg.box(x, y, right - x, foot - y, PALE_ORANGE if sums else PALE, EDGE, 1)
    svg.text(x + 8, y + 17, 12, "start", BLACK, words, bool(sums))
    if sums:
        svg.text(x + 8, y + 33, 11.5, "start", BROWN, sums)


def column(number, name, before=None, pack_b=None, pack_a=None, tile=None, after=None):
    """One way: the sums before the nest, at each packing, at the micro-kernel, and after the nest."""
    x, y = GAP + number * (WIDTH + GAP), TOP
    right = x + WIDTH
    svg.text(x, TOP - 12, 14, "start", BLACK, name, True)
    stage(x, y, right, y + 42, "memory: sums of A and B into workspace" if before else "memory: A and B as they are", before)
    svg.text(x + 2, y + 62, 11.5, "start", GREY, "for each of the seven products")
    y += 70
    stage(x, y, right, y + 268, "for jc, for pc: a panel of B, for the L3 cache")
    stage(x + 12, y + 26, right - 8, y + 68, "pack B", pack_b)
    stage(x + 12, y + 76, right - 8, y + 260, "for ic: a block of A, for the L2 cache")
    stage(x + 24, y + 102, right - 16, y + 144, "pack A", pack_a)
    stage(x + 24, y + 152, right - 16, y + 252, "for j, for i: a tile of C, in registers")
    stage(x + 36, y + 178, right - 24, y + 212, "multiply, kc times")
    svg.box(x + 36, y + 212, right - 24 - x - 36, 34, PALE_ORANGE if tile else PALE, EDGE, 1)
    svg.text(x + 44, y + 233, 11.5 if tile else 12, "start", BROWN if tile else BLACK, tile or "the tile to one place of memory")
    y += 280
    stage(x, y, right, y + 42, "memory: sums of products into C" if after else "memory: C is done", after)


def sums():
    rows = [row for row in svg.run("draw-02", "sums", ORDER) if "part" in row]
    parts = {part: [row["terms"] for row in rows if row["part"] == part] for part in "ABC"}
    if any(len(products) != 7 for products in parts.values()):
        svg.fail("one level does not call the kernel seven times")

    def names(part, plus):
        """Of the first product: the quadrants that were read or written."""
        return plus.join(f"{'−' if sign < 0 else ''}{part}{at // ORDER // (ORDER // 2) + 1}{at % ORDER // (ORDER // 2) + 1}"
                         for sign, at in parts[part][0])

    svg.begin(3 * (WIDTH + GAP) + GAP, 540, "Three places for the sums around the packed product")
    svg.text(GAP, 24, 15, "start", BLACK, "Where the sums of one level happen: orange", True)
    column(0, "figure3: one sum at a time", "8 passes, each reads two blocks, writes one", after="7 passes of the same kind")
    column(1, "fused: sums in passes", "2 passes, each reads 4 blocks, writes 4", after="1 pass; three products are added to C")
    column(2, "packed-both: sums in the packing", None, f"reads {names('B', ' + ')}", f"reads {names('A', ' + ')}",
           f"the tile to {names('C', ' and ')}")
    read_a, read_b, written = (sum(map(len, parts[part])) for part in "ABC")
    svg.text(GAP, 500, 12, "start", GREY, f"packed-both, all seven products: {read_a} quadrants of A read, {read_b} of B, {written} times a "
             "quadrant of C written. Shown: the first product.")
    svg.text(GAP, 520, 12, "start", GREY, "packed-sums differs in one place: a tile waits in one block of memory until all of k is done, "
             "and goes to its places of C then.")
    svg.end()


if __name__ == "__main__":
    svg.pictures({"orders": orders, "nest": nest, "sums": sums})
