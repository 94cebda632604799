#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""kernels.py PICTURE [STEP]: draws where the threads of a kernel load and store, as SVG, from the requests of their half-warps that
the simulated GPU records (look.c).

  grid     step 06's grid of thread blocks over C, and one block with a warp and a thread in it
  tiles    where one thread block of step 08 or 10 walks in A, B and C
  warps    step 19's tile of C, its warps, and what one thread reads and stores
  texels   what one thread of step 07's NV Single and one of NV Multi fetches in a step
  passes   what one half-warp of NV Multi fetches and stores in each pass
  offset   where step 16's textures begin
  strips   how step 16 cuts factors that are larger than a texture may be"""
from dataclasses import dataclass, field
import textwrap

import svg
from svg import BLACK, BLUE, EDGE, GREY, PALE, PALE_BLUE, PALE_GREEN, PALE_ORANGE, RED

HALF_WARP = 16
AMBER, BROWN, DARK_RED = "#c46a00", "#8a4b00", "#a01515"
DARK = "#9a9a9a"


@dataclass
class Access:
    """What one thread does in a request. at: in bytes from the beginning of its allocation (1, 2, 3: A, B, C) or shared array."""
    block: int
    thread: int
    space: str
    op: str
    kernel: str
    launch: int  # from 0
    occurrence: int
    allocation: int
    at: int
    size: int

    def elements(self, columns):
        """The places (row, column) of a matrix that it touches."""
        return [divmod(byte // 4, columns) for byte in range(self.at, self.at + self.size, 4)]


def look(step, variant, m, n, k, groups, *blocks, levels=0, setting=0):
    """The launches of one run, where its textures begin, and all accesses of the half-warps."""
    calls, textures, accesses, half_warp = [], [], [], None
    for row in svg.run(f"look-{step}", variant, m, n, k, levels, setting, groups, *blocks):
        if "group" in row:
            calls, textures, half_warp = [], [], row
        elif row.get("call") == "launch":
            calls.append(row)
        elif "texture" in row:
            textures.append(row["texture"])
        elif "lanes" in row:
            launch = [call["launch"] for call in calls].index(row["launch"])
            accesses += [Access(half_warp["block"], half_warp["group"] * HALF_WARP + lane % HALF_WARP, row["space"], row["op"],
                                row["kernel"], launch, row["occurrence"], allocation, at, row["size"])
                         for lane, allocation, at in row["lanes"]]
    return calls, textures, accesses


def frame(places):
    """(first row, first column, rows, columns)"""
    rows, columns = [row for row, _ in places], [column for _, column in places]
    return min(rows), min(columns), max(rows) - min(rows) + 1, max(columns) - min(columns) + 1


# ---- A grid, a block, a thread ----

M, N, AT_BLOCK, AT_THREAD = 40, 56, (2, 1), (5, 3)  # the block and the thread that are shown, as x, y


def draw_grid(x, y, scale, grid, block, frames):
    wide, high = block[0] * scale, block[1] * scale
    shown = AT_BLOCK[1] * grid[0] + AT_BLOCK[0]
    svg.fill(x, y, grid[0] * wide, grid[1] * high, "#e4e4e4")
    for b, (top, left, rows, columns) in enumerate(frames):  # where threads store
        svg.fill(x + left * scale, y + top * scale, columns * scale, rows * scale, "#f9d9a8" if b == shown else "#dbe9f6")
    for b, (top, left, rows, columns) in enumerate(frames):
        by, bx = divmod(b, grid[0])
        svg.box(x + bx * wide, y + by * high, wide, high, "none", "#777777", 1)
        svg.text(x + (left + columns / 2) * scale, y + (top + rows / 2) * scale + 5, 13, "middle", BLACK, f"{bx},{by}", b == shown)
    svg.box(x, y, N * scale, M * scale, "none", "#1f5f99", 2)
    svg.box(x + AT_BLOCK[0] * wide, y + AT_BLOCK[1] * high, wide, high, "none", AMBER, 2)


def draw_block(x, y, cell, block, place):
    wide, high, warp, rows = block[0] * cell, block[1] * cell, (AT_THREAD[1] * block[0] + AT_THREAD[0]) // 32, 32 // block[0]
    svg.fill(x, y, wide, high, "#fdf3e3")
    svg.fill(x, y + warp * rows * cell, wide, rows * cell, "#f5b95f")
    for i in range(1, block[0]):
        svg.line(x + i * cell, y, x + i * cell, y + high, "#d9bf95", 1)
    for i in range(1, block[1]):
        svg.line(x, y + i * cell, x + wide, y + i * cell, "#d9bf95", 1)
    svg.box(x, y, wide, high, "none", AMBER, 2)
    svg.box(x, y + warp * rows * cell, wide, rows * cell, "none", BROWN, 1.5)
    svg.fill(x + AT_THREAD[0] * cell, y + AT_THREAD[1] * cell, cell, cell, DARK_RED)
    svg.box(x + 4, y + (AT_THREAD[1] + 1) * cell + 8, wide - 8, 94, "#ffffff", "#d9bf95", 1)
    row, column = (AT_BLOCK[i] * block[i] + AT_THREAD[i] for i in (1, 0))
    if place != (row, column):
        svg.fail("the thread stores elsewhere than the text says")
    for i, words in enumerate((f"Dark: warp {warp}, threads {warp * 32} to {warp * 32 + 31}",
                               f"Red: threadIdx.x = {AT_THREAD[0]}, threadIdx.y = {AT_THREAD[1]}",
                               f"row {AT_BLOCK[1]} · {block[1]} + {AT_THREAD[1]} = {row}",
                               f"column {AT_BLOCK[0]} · {block[0]} + {AT_THREAD[0]} = {column}, so C[{row}][{column}]")):
        svg.text(x + 10, y + (AT_THREAD[1] + 1) * cell + 28 + 20 * i, 13, "start", DARK_RED if i else BROWN, words)


def grid_picture():
    calls, _, _ = look("06", "coalesced", M, N, 4, 1, 0)
    if len(calls) != 1:
        svg.fail("step 06 makes more than one launch")
    grid, block = calls[0]["grid"], calls[0]["block"]
    if grid[0] <= AT_BLOCK[0] or grid[1] <= AT_BLOCK[1]:
        svg.fail("the grid has another shape than the picture")
    blocks = range(grid[0] * grid[1])
    stores = [one for one in look("06", "coalesced", M, N, 4, block[0] * block[1] // HALF_WARP, *blocks)[2] if one.op == "store"]
    frames = [frame([place for one in stores if one.block == b for place in one.elements(N)]) for b in blocks]
    own = [one.elements(N) for one in stores if (one.block, one.thread) ==
           (AT_BLOCK[1] * grid[0] + AT_BLOCK[0], AT_THREAD[1] * block[0] + AT_THREAD[0])]
    if [len(one) for one in own] != [1]:
        svg.fail("a thread does not store one element")
    svg.begin(600, 376, f"A grid of {grid[0]} × {grid[1]} blocks over C, one block with its {block[0]} × {block[1]} threads, and one warp "
              "and one thread in it")
    svg.text(14, 24, 15, "start", BLACK, f"Grid: {grid[0]} × {grid[1]} blocks", True)
    svg.text(14, 44, 13, "start", BLACK, f"over C: {M} rows, {N} columns")
    draw_grid(14, 64, 4, grid, block, frames)
    svg.text(14, 280, 13, "start", BLACK, "In each block: blockIdx.x, blockIdx.y.")
    svg.text(14, 299, 13, "start", BLACK, "Blue frame: C. Grey: threads outside")
    svg.text(14, 318, 13, "start", BLACK, "C, which the guard keeps from writing.")
    svg.text(312, 24, 15, "start", BLACK, f"Block {AT_BLOCK[0]},{AT_BLOCK[1]}: {block[0]} × {block[1]} threads", True)
    svg.text(312, 44, 13, "start", BLACK, "one element of C for each thread")
    svg.line(206, 140, 300, 140, AMBER, 1.5)
    svg.path("M306 140l-9 -5v10z", AMBER)
    draw_block(312, 64, 16, block, own[0][0])
    svg.text(282, 344, 13, "start", BLACK, "row = blockIdx.y · blockDim.y + threadIdx.y")
    svg.text(282, 364, 13, "start", BLACK, "column = blockIdx.x · blockDim.x + threadIdx.x")
    svg.end()


# ---- Tiles ----

TILES = {"08": ("tile16", 64, 64, 64, 5, 256, 83, 4.6), "10": ("gpu8", 64, 256, 128, 3, 128, 37, 0.85)}  # 10: as wide as a phone's window
SHADES = BLUE, "#56B4E9", "#9fd0ee", PALE_BLUE


def runs(places):
    """Neighbours in a row as (row, column, how many)."""
    found = []
    for row, column in sorted(places):
        if found and found[-1][0] == row and sum(found[-1][1:]) == column:
            found[-1][2] += 1
        else:
            found.append([row, column, 1])
    return found


def draw_matrix(letter, x, y, s, rows, columns, frames, own):
    svg.box(x, y, columns * s, rows * s, PALE, EDGE, 1)
    for step, (top, left, high, wide) in frames:
        svg.box(x + left * s, y + top * s, wide * s, high * s, PALE_GREEN if letter == "C" else SHADES[step % 4], "#444444", 1)
        if letter != "C":
            place, size = (1 / 2, 16) if high * s > 20 else (4 / 5, 13)  # in a low tile next to what the thread loads
            svg.text(x + (left + wide * place) * s, y + (top + high / 2) * s + 3 * size / 8, size, "middle", BLACK if step % 4 else "#ffffff", step + 1, True)
    for row, column, count in runs(own):
        svg.fill(x + column * s, y + row * s, count * s, s, DARK_RED)
    svg.text(x, y - 7, 13, "start", BLACK, f"{letter}: {rows} × {columns}", True)


def tiles(step):
    variant, m, n, k, block, threads, thread, s = TILES[step]
    shapes = {1: ("A", m, k), 2: ("B", k, n), 3: ("C", m, n)}
    accesses = [one for one in look(step, variant, m, n, k, threads // HALF_WARP, block)[2] if one.space == "global"]
    depth = 1 + max(column for one in accesses if (one.allocation, one.occurrence) == (1, 0) for _, column in one.elements(k))
    touched, own = {1: {}, 2: {}, 3: {}}, {1: set(), 2: set(), 3: set()}
    for one in accesses:
        for row, column in one.elements(shapes[one.allocation][2]):
            touched[one.allocation][row, column] = (0, one.occurrence, row // depth, 0)[one.allocation]
            if one.thread == thread:
                own[one.allocation].add((row, column))
    frames = {array: [(step, frame([place for place, at in places.items() if at == step])) for step in sorted(set(places.values()))]
              for array, places in touched.items()}
    if not frames[3]:
        svg.fail("the block stored nothing in C")
    _, _, rows, columns = frames[3][0][1]
    left, middle, top, below = 16, 16 + k * s + 26, 30, 30 + k * s + 38
    foot = below + m * s + 26
    width = int(middle + n * s + 16)
    notes = [(colour, line) for colour, words in (
        (GREY, f"Block {block}, with {threads} threads: its {rows} × {columns} tile of C (green) needs {rows} rows of A and {columns} columns of B."),
        (GREY, f"In step 1, 2, … it loads the tiles with this number, {depth} of k at a time."),
        (DARK_RED, f"Red: what thread {thread} loads itself, and what it stores in C.")) for line in textwrap.wrap(words, int((width - 16) / 6.25))]
    svg.begin(width, int(foot) + 10 + 17 * (len(notes) - 1), "Where one thread block walks in A, B and C")
    for array, x, y in (1, left, below), (2, middle, top), (3, middle, below):
        letter, high, wide = shapes[array]
        draw_matrix(letter, x, y, s, high, wide, frames[array], own[array])
    for i, (colour, line) in enumerate(notes):
        svg.text(left, foot + 17 * i, 12, "start", colour, line)
    svg.end()


# ---- Warps ----

SIDE, DEPTH, THREADS, WARP, LANE = 128, 16, 128, 2, 9


def squares(own):
    """How many squares a thread has one below the other and side by side, and how high and wide one is."""
    first, column = min(own)
    rows, columns = [i for i, j in sorted(own) if j == column], [j for i, j in sorted(own) if i == first]
    down, across = (sum(i - 1 not in places for i in places) for places in (rows, columns))
    return down, across, len(rows) // down, len(columns) // across


def warps():
    s, x, y = 2.4, 230, 70
    accesses = [one for one in look("19", "own", SIDE, SIDE, 4 * DEPTH, THREADS // HALF_WARP, 0)[2] if "leaf" in one.kernel]
    stores = [one for one in accesses if (one.space, one.op) == ("global", "store")]
    # The first column of A's tile and row of B's, in the first stage: column l begins at l * SIDE.
    reads = [one for one in accesses if (one.space, one.op, one.thread) == ("shared", "load", WARP * 32 + LANE)]
    read = {one.at // 4 + i for one in reads for i in range(one.size // 4)}
    own_a, own_b = (sorted(at - first for at in read if first <= at < first + SIDE) for first in (0, SIDE * DEPTH))
    stored = [place for one in stores if one.thread == WARP * 32 + LANE for place in one.elements(SIDE)]
    if not stored or not own_a or not own_b or {one.size for one in reads} != {16}:
        svg.fail("the thread does not read fours from the tiles, or stores nothing")
    down, across, high, wide = squares(set(stored))
    svg.begin(760, 400, "A block's tile of C, its warps, and what one thread reads and computes")
    svg.text(x, 18, 15, "start", BLACK, f"A block's {SIDE} × {SIDE} of C: {THREADS // 32} warps", True)
    for w in range(THREADS // 32):
        places = {place for one in stores if one.thread // 32 == w for place in one.elements(SIDE)}
        top, left, rows, columns = frame(places)
        if len(places) != rows * columns:
            svg.fail("a warp's part of C is no rectangle")
        svg.box(x + left * s, y + top * s, columns * s, rows * s, PALE_BLUE if (w // 2 + w % 2) % 2 else "#eef3fa", BLUE, 1)
        svg.text(x + (left + columns) * s - 6, y + top * s + 16, 13, "end", BLUE, f"warp {w}: {rows} × {columns}")
    svg.box(x - (DEPTH + 6) * s, y, DEPTH * s, SIDE * s, PALE_ORANGE, "#b07d2b", 1)
    svg.text(x - (DEPTH / 2 + 6) * s, y - 24, 13, "middle", "#8a3c00", "tile of A")
    svg.text(x - (DEPTH / 2 + 6) * s, y - 8, 13, "middle", "#8a3c00", f"{SIDE} × {DEPTH}")
    svg.box(x, y - (DEPTH + 1) * s, SIDE * s, DEPTH * s, PALE_GREEN, "#3d8b40", 1)
    svg.text(x + SIDE * s + 8, y - DEPTH / 2 * s, 13, "start", "#2a6b2c", f"tile of B, {DEPTH} × {SIDE}")
    for i in range(SIDE):  # one of the columns of A and rows of B that it reads
        if i in own_a:
            svg.fill(x - 6 * s - DEPTH * s, y + i * s, s, s, RED)
        if i in own_b:
            svg.fill(x + i * s, y - (DEPTH + 1) * s, s, s, RED)
    for i, j in sorted(set(stored)):
        if (i - 1, j) not in stored and (i, j - 1) not in stored:
            svg.fill(x + j * s, y + i * s, wide * s, high * s, RED)
    for i, words in enumerate((f"Red: thread {LANE} of warp {WARP}", f"{down} × {across} squares of {high} × {wide},",
                               f"{len(stored)} sums in registers")):
        svg.text(x + SIDE * s + 16, 250 + 18 * i, 13, "start", "#b24700", words, not i)
    for i, words in enumerate((f"For each of the {DEPTH}", "columns of the tile:", f"{len(own_a) // 4} reads of four a,",
                               f"{len(own_b) // 4} reads of four b,", f"{len(stored)} multiply-adds.")):
        svg.text(16, 200 + 18 * i, 13, "start", BLACK, words)
    svg.end()


# ---- Texels ----

# Textures are in the workspace one after the other, each from a multiple of 512 bytes on.
ORDER, TEXEL, ALIGNMENT = 8, 16, 512
FILLS = "#cfe6f5", "#fbe3b0", "#cdebd8", "#f3d3e3"


def touched_by(variant, width, launch, row, column, step=None):
    """(texture, row, column) of the texels that a thread fetches in a step (or in all) and stores, and how many it fetches."""
    calls, _, accesses = look("07", variant, ORDER, ORDER, ORDER, row + 1, 0, setting=1)
    wanted = [i for i, call in enumerate(calls) if "pack" not in call["kernel"]][launch]
    own = [one for one in accesses if (one.launch, one.thread) == (wanted, row * HALF_WARP + column)]
    texels = [(one.at // ALIGNMENT, *divmod(one.at % ALIGNMENT // TEXEL, width)) for one in own
              if one.op != "fetch" or step is None or one.occurrence == step]
    return texels, sum(one.op == "fetch" for one in own)


def draw_texels(x, y, name, high, wide, texels, below):
    cell = 24
    svg.text(x + ORDER * cell / 2, y - 10, 14, "middle", BLACK, name, True)
    svg.fill(x, y, ORDER * cell, ORDER * cell, PALE)
    for i in range(1, ORDER):
        svg.line(x + i * cell, y, x + i * cell, y + ORDER * cell, *(("#dddddd", 0.8) if i % wide else (DARK, 1.4)))
        svg.line(x, y + i * cell, x + ORDER * cell, y + i * cell, *(("#dddddd", 0.8) if i % high else (DARK, 1.4)))
    svg.box(x, y, ORDER * cell, ORDER * cell, "none", DARK, 1.4)
    for row, column in texels:
        left, top = x + column * wide * cell, y + row * high * cell
        for i, letter in enumerate("xyzw"):
            at_x, at_y = left + i % wide * cell, top + i // wide * cell
            svg.fill(at_x, at_y, cell, cell, FILLS[i])
            svg.text(at_x + cell / 2, at_y + 16.5, 12, "middle", BLACK, letter)
        svg.box(left, top, wide * cell, high * cell, "none", "#444444", 1.8)
    svg.text(x + ORDER * cell / 2, y + ORDER * cell + 19, 12, "middle", GREY, below)


def texels_picture():
    single, fetches = touched_by("single", ORDER // 2, 0, 1, 2, 2)
    multi, all_fetches = touched_by("multi", ORDER, 1, 0, 5)
    stored = multi[-1][0]  # the second pass stores in the one of the two textures of C that it does not read
    own, in_step = fetches // (ORDER // 2), sum(texture < 2 for texture, *_ in multi)
    if own != sum(texture < 2 for texture, *_ in single) or in_step + 1 != all_fetches:
        svg.fail("the fetches of a step are not those of the factors")

    def draw(y, texels, high, wide, c, *below):
        for i, (letter, texture) in enumerate((("A", 0), ("B", 1), ("C", c))):
            draw_texels((60, 300, 548)[i], y, letter, high, wide, [place for which, *place in texels if which == texture], below[i])

    def lines(first, words, code=False):
        for y, said in zip(first, words):
            svg.text(756, y, 12.5, "start", BLACK if code else GREY, said, more=' font-family="monospace"' if code else "")

    svg.begin(890, 585, "The texels of NV Single and of NV Multi, and what one thread fetches")
    svg.text(16, 26, 15, "start", BLACK, f"NV Single: a texel is a block of 2 × 2. One step k: {own} fetches, 2 mads", True)
    draw(70, single, 2, 2, 2, "texel (i, k), row i of them in all", "texel (k, j), column j in all", "texel (i, j): one thread")
    lines((90, 110, 128), ("C.xyzw +=", "A.xxzz*B.xyxy", "+A.yyww*B.zwzw"), True)
    lines((161, 178, 195), (f"{4 * own} floats for", "8 multiply-adds:", "each used twice"))
    svg.text(16, 316, 15, "start", BLACK, f"NV Multi: a texel is 4 elements of a column. One step of 4 k: {in_step} fetches, 4 mads; "
             f"{all_fetches - in_step} fetch more a pass", True)
    draw(352, multi, 4, 1, stored, "texels (i, k) to (i, k + 3)", "texel (k / 4, j)", "texel (i, j): one thread")
    lines((372, 390, 406, 422, 438, 454), ("C.xyzw =", "accum", "+A0 * B.xxxx", "+A1 * B.yyyy", "+A2 * B.zzzz", "+A3 * B.wwww"), True)
    lines((484, 501, 518), ("B used 4 times,", "A once, and the", "partial sum once"))
    for y in 168, 450:
        svg.text(274, y, 18, "middle", BLACK, "×")
        svg.text(518, y, 18, "middle", BLACK, "+=")
    svg.end()


# ---- Passes ----

PASS_N, HIGH = 16, 4  # a texel is four rows high
TEXTURE = PASS_N * HIGH * TEXEL


@dataclass
class Pass:
    """What columns of A and rows of B it reads, which c it reads back, and which it stores."""
    a: set = field(default_factory=set)
    b: set = field(default_factory=set)
    back: int = None
    stored: int = None


def pass_of(accesses):
    one = Pass()
    for access in accesses:
        texture, texel = access.at // TEXTURE, access.at % TEXTURE // TEXEL
        if texture >= 4:
            svg.fail("an access beyond the textures")
        if access.op == "store":
            one.stored = texture - 2
        elif texture == 0:
            one.a.add(texel % PASS_N)
        elif texture == 1:
            one.b.update(range(texel // PASS_N * HIGH, texel // PASS_N * HIGH + HIGH))
        else:
            one.back = texture - 2
    if None in (one.back, one.stored) or one.back == one.stored or not one.a or not one.b:
        svg.fail("a pass does not read one c and store the other")
    return one


def draw_pass(one, number):
    side, cell, middle = 76, 76 / PASS_N, 114 + number * 208
    svg.text(middle, 56, 14, "middle", BLACK, f"pass {number}", True)
    svg.text(middle - 46, 76, 12, "middle", BLACK, "A")
    svg.box(middle - 84, 82, side, side, PALE, DARK, 1)
    svg.box(middle - 84 + min(one.a) * cell, 82, len(one.a) * cell, side, PALE_BLUE, "#444444", 1.4)
    svg.text(middle + 48, 76, 12, "middle", BLACK, "B")
    svg.box(middle + 10, 82, side, side, PALE, DARK, 1)
    svg.box(middle + 10, 82 + min(one.b) * cell, side, len(one.b) * cell, PALE_ORANGE, "#444444", 1.4)
    svg.text(middle + 1, 126, 14, "middle", BLACK, "×")
    svg.text(middle, 180, 12, "middle", GREY, f"c[{one.stored}] = c[{one.back}] + {len(one.a)} columns × {len(one.b)} rows")
    for c, y in (0, 210), (1, 312):
        stored = c == one.stored
        svg.box(middle - 38, y, side, 62, PALE_GREEN if stored else "#fdf3dc", "#444444" if stored else DARK, 1.6 if stored else 0.9)
        svg.text(middle, y + 28, 13, "middle", BLACK, f"c[{c}]", stored)
        svg.text(middle, y + 46, 12, "middle", GREY, "written" if stored else "read back")
    start, to, tip = (274, 308, -8) if one.stored else (310, 276, 8)
    svg.line(middle, start, middle, to + tip / 2, GREY, 1.3)
    svg.path(f"M{middle:g} {to:g}l-4 {tip:g}h8z", GREY)


def passes():
    calls, _, accesses = look("07", "multi", PASS_N, PASS_N, PASS_N, 1, 0, setting=1)
    launches = [i for i, call in enumerate(calls) if "pack" not in call["kernel"]]
    its = [pass_of([one for one in accesses if one.launch == launch]) for launch in launches]
    if not its:
        svg.fail("no pass of NV Multi")
    svg.begin(28 + len(its) * 208, 406, "The passes of NV Multi: each reads back what the pass before has written")
    svg.text(16, 26, 15, "start", BLACK, f"NV Multi, k = {PASS_N}, --unroll 1: {len(its)} passes, each a launch", True)
    for number, one in enumerate(its):
        draw_pass(one, number)
    svg.text(30, 396, 12.5, "start", GREY, "c[0] starts as zeros. A pass cannot write the texture it reads, so the two change "
             "places; the last one written is C.")
    svg.end()


# ---- Where a texture begins ----

def offset():
    """Winograd multiplies A12 as it is: where its texture begins, and which byte of A is fetched first."""
    m, k, n = 32, 384, 512
    _, textures, accesses = look("16", "twinograd", m, n, k, 1, 0, levels=1)
    row = k * 4
    fetched = [one.at for one in accesses if (one.op, one.allocation) == ("fetch", 1) and row // 2 <= one.at < row]
    begins = [at for at in textures if 0 < at < row]
    if not fetched or not begins or begins[-1] % ALIGNMENT or min(fetched) - begins[-1] >= ALIGNMENT:
        svg.fail("no texture over A12 that begins at an aligned place")
    first, begin = min(fetched), begins[-1]
    left, scale, y = 40, 720 / (2 * row), 84
    x, aligned, right = left + first * scale, left + begin * scale, left + 2 * row * scale
    svg.begin(800, 262, "A texture begins at an aligned place in front of the quadrant that it is made for")
    svg.text(20, 22, 12.5, "start", GREY, f"A has {k} columns: its rows are {row} bytes, and quadrant 12 begins {first} bytes into "
             "the first one.")
    svg.text(36, 50, 12, "start", GREY, f"bytes from the start of A; a texture may begin at every {ALIGNMENT}th")
    svg.box(left, y, 2 * row * scale, 34, PALE)
    for r in range(2):
        svg.box(left + (r * row + first) * scale, y, row / 2 * scale, 34, "#bfdcee")
        svg.text(left + (r * row + first + row / 4) * scale, y + 22, 12, "middle", BLACK, f"quadrant 12, row {r}")
    svg.text(left + (row + first / 2) * scale, y + 22, 12, "middle", GREY, "quadrant 11, row 1")
    for byte in range(0, 2 * row + 1, ALIGNMENT):
        print(f'<path d="M{left + byte * scale:g} 76V126" stroke="{EDGE}" stroke-dasharray="3 3"/>')
        svg.text(left + byte * scale, 70, 12, "middle", GREY, byte)
    print(f'<path d="M{right:g} {y + 3:g}H{aligned:g}V{y + 31:g}H{right:g}" fill="none" stroke="{RED}" stroke-width="2.5"/>')
    svg.line(x, y + 34, x, 148, BLUE, 1.5)
    svg.text(x + 6, 146, 12.5, "start", BLUE, f"x.at: the quadrant begins at byte {first}")
    svg.line(aligned, y + 31, aligned, 176, RED, 1.5)
    svg.text(aligned + 6, 174, 12.5, "start", "#b24700", f"x.at − elements_before(x): the texture begins at byte {begin}")
    svg.line(aligned, 192, x, 192, BLACK, 1.5)
    svg.line(aligned, 187, aligned, 197, BLACK, 1.5)
    svg.line(x, 187, x, 197, BLACK, 1.5)
    svg.text(x + 8, 196, 12.5, "start", BLACK, f"{(first - begin) // 4} elements between: {(first - begin) // 4} texels of one float, "
             f"or {(first - begin) // 16} of four")
    svg.text(20, 228, 12.5, "start", BLACK, "Element i of the quadrant is texel (elements between) + i or, four at once, that divided by 4.")
    svg.text(20, 246, 12.5, "start", GREY, "The texture ends with the quadrant’s last element. What is between its rows is in it and is "
             "never fetched.")
    svg.end()


# ---- Strips ----

ROWS, COLUMNS, K_STEP, STRIPS = 16, 128, 64, 3  # GPU8's tile


@dataclass
class Strip:
    first: int   # row of the factor that is cut
    result: int  # the first row of C that its kernel stores
    kernel: str
    reads_c: bool


def strips_of(variant, allocation, m, n, k, limit):
    """Cuts the left factor (allocation 1) or the right one (2), of k or n columns."""
    calls, _, accesses = look("16", variant, m, n, k, 1, 0, setting=limit)
    strips = []
    for launch, call in enumerate(calls):
        its = [one for one in accesses if one.launch == launch and one.space != "shared"]
        fetched = next((one.at for one in its if (one.op, one.allocation) == ("fetch", allocation)), None)
        stored = next((one.at for one in its if (one.op, one.allocation) == ("store", 3)), None)
        kernel = "mul" if call["kernel"] == "gpu8" else call["kernel"].split("_")[0]
        if fetched is None or stored is None or not kernel.startswith("mul"):
            svg.fail("a strip is not fetched through a texture, or its kernel is no product")
        strips.append(Strip(fetched // 4 // (k if allocation == 1 else n), stored // 4 // n, kernel,
                            any((one.op, one.allocation) == ("load", 3) for one in its)))
    return strips if len(strips) == STRIPS else svg.fail("another number of strips than expected")


def strip_box(x, y, high, name, first=(), rows=1, label="", across=False):
    """A matrix, cut where its strips begin (in rows of `rows`); across: at the same places of its columns."""
    wide = 110
    svg.box(x, y, wide, high, PALE)
    svg.text(x + wide / 2, y - 8, 14, "middle", BLACK, name, True)
    for i, begin in enumerate(first):
        start, end = begin / rows, first[i + 1] / rows if i + 1 < len(first) else 1
        shade, middle = "#e3eff7" if i % 2 else "#bfdcee", (start + end) / 2
        if across:
            svg.box(x + start * wide, y, (end - start) * wide, high, shade)
            svg.text(x + middle * wide, y + high / 2 + 5, 12, "middle", BLACK, f"{label}{i + 1}")
        else:
            svg.box(x, y + start * high, wide, (end - start) * high, shade)
            svg.text(x + wide / 2, y + middle * high + 4, 12, "middle", BLACK, f"{label}{i + 1}")


def strips():
    m, k = STRIPS * ROWS, STRIPS * K_STEP
    # Texels so that one strip fits and two do not: the left factor is read by four, the right one by one.
    left = strips_of("tstrassen", 1, m, COLUMNS, K_STEP, (ROWS * K_STEP + 128) // 4)
    right = strips_of("twinograd-b", 2, ROWS, COLUMNS, k, K_STEP * COLUMNS + 128)
    if any(one.result or one.reads_c != (i > 0) for i, one in enumerate(right)) or any(one.reads_c for one in left):
        svg.fail("the strips do not read and write C as the picture says")

    def signs(y, words):
        for x, size, colour, sign in words:
            svg.text(x, y, size, "middle", colour, sign)

    def notes(y, *words):
        for i, said in enumerate(words):
            svg.text(485, y + 20 * i, 12.5, "start", "#444444", said)

    svg.begin(800, 330, "A product whose factors are larger than a texture may be, in strips of A's rows or of B's rows")
    svg.text(20, 24, 14, "start", BLACK, "the left factor in strips: each strip gives rows of C", True)
    strip_box(60, 60, 96, "C", [one.result for one in left], m, "rows ")
    signs(113, ((190, 16, BLACK, "="), ))
    strip_box(210, 60, 96, "A", [one.first for one in left], m, "texture ")
    signs(113, ((335, 18, BLACK, "·"), ))
    strip_box(350, 60, 96, "B")
    notes(90, f"a multiple of {left[1].first} rows, GPU8’s tile", f"one {left[0].kernel} for each strip", "as many transactions as without strips")
    svg.text(20, 194, 14, "start", BLACK, "the right factor in strips: each strip adds to all of C", True)
    strip_box(60, 226, 84, "C")
    signs(273, ((115, 14, "#444444", "+="), (190, 16, BLACK, "=")))
    strip_box(210, 226, 84, "A", [one.first for one in right], k, across=True)
    signs(273, ((335, 18, BLACK, "·"), ))
    strip_box(350, 226, 84, "B", [one.first for one in right], k, "texture ")
    notes(252, f"a multiple of {right[1].first} rows, GPU8’s step in k",
          f"{right[0].kernel} for the first strip, {right[1].kernel} for the others", "each further strip reads and writes C again")
    svg.end()


if __name__ == "__main__":
    svg.pictures({"grid": grid_picture, "tiles": tiles, "warps": warps, "texels": texels_picture, "passes": passes, "offset": offset,
                  "strips": strips})
