#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""addresses.py 06|08|09|10: draws what a half-warp of a step touches at the lines that its chapter speaks of, as SVG, from the
step's program on the simulated GPU.

A request to global memory is drawn as rows of 128 bytes: the words that the lanes touch with the lanes' numbers in them, and a frame
around each transaction. A request to shared memory is drawn with a column for each bank; below it is how many different words a bank
must give. Two of 16 banks are side by side."""
import contextlib
import functools
import glob
import io
import json
import os
import subprocess

import svg
from svg import BLUE, ORANGE, RED

SUM = "sum += a[(size_t)i * lda + l] * b"
# Of each step the picture's title; then of each request: variant, source, the line's text (its number changes with the source), what
# the request has ("matrix": 1 is A, 2 is B), and its caption.
STEPS = {
    "06": ("Step 06: what a half-warp of the C1060 reads in one turn of the loop", [
        ("coalesced", "06-gpu-naive/06-gpu-naive.cu", SUM, {"matrix": 1}, "coalesced: a[i * lda + l], the same word for all lanes"),
        ("coalesced", "06-gpu-naive/06-gpu-naive.cu", SUM, {"matrix": 2}, "coalesced: b[l * ldb + j], sixteen neighbours in a row"),
        ("uncoalesced", "06-gpu-naive/06-gpu-naive.cu", SUM, {"matrix": 1}, "uncoalesced: a[i * lda + l], sixteen rows of A"),
        ("uncoalesced", "06-gpu-naive/06-gpu-naive.cu", SUM, {"matrix": 2}, "uncoalesced: b[l * ldb + j], the same word for all lanes")]),
    "08": ("Step 08: which banks a half-warp reads in one turn of the inner loop", [
        ("tile16", "08-gpu-shared/tiles.cuh", "sum += as[", {"array": "as"}, "A in any layout: one word for all"),
        ("tile16", "08-gpu-shared/tiles.cuh", "sum += as[", {"array": "bs"}, "B as it is: sixteen neighbours"),
        ("tile16-bt", "08-gpu-shared/tiles.cuh", "sum += as[", {"array": "bs"}, "B transposed, rows of 16: one bank"),
        ("tile16-at-bt-padded", "08-gpu-shared/tiles.cuh", "sum += as[", {"array": "bs"}, "B transposed, rows of 17: sixteen banks")]),
    "09": ("Step 09: what a half-warp of the C1060 touches", [
        ("volkov", "09-gpu-volkov/09-gpu-volkov.cu", "as[x][y + i] = a[", {"space": "global"}, "a[i * lda]: a row of the tile of A"),
        ("volkov", "09-gpu-volkov/09-gpu-volkov.cu", "real bl = b[0];", {}, "b[0]: each lane its own column of B"),
        ("volkov", "09-gpu-volkov/09-gpu-volkov.cu", "as[x][y + i] = a[", {"space": "shared"}, "as[x][y + i]: the row becomes a column"),
        ("volkov", "09-gpu-volkov/09-gpu-volkov.cu", "sum[i] += as[l][i] * bl;", {}, "as[l][i]: one a for all lanes")]),
    "10": ("Step 10: what a half-warp of the C1060 touches", [
        ("gpu8", "10-gpu8/gpu8.cuh", "return *(const real4 *)a", {}, "a row of the tile of A, four words a lane"),
        ("gpu8", "10-gpu8/gpu8.cuh", "real br0 = b[0]", {}, "each lane its own column of B"),
        ("gpu8", "10-gpu8/gpu8.cuh", "to[0] = upper.x", {}, "to[0] = upper.x: the first words of the vectors"),
        ("gpu8", "10-gpu8/gpu8.cuh", "c[i] += a[i * 4] * b;", {}, "a[i * 4]: one a for all lanes")]),
}
CELL, HIGH = 18, 16
GREY = "#555555"


def request(step, variant, source, text, wanted):
    """The first request at a line with this text, in the function that the program runs: a text may be in several."""
    path, = glob.glob(os.path.join(svg.ROOT, "steps", step + "-*"))
    with open(os.path.join(svg.ROOT, "steps", source), encoding="utf-8") as file:
        numbers = [number for number, line in enumerate(file, 1) if text in line]
    for number in numbers:
        ran = subprocess.run([os.path.basename(path) + ".sim", "--n", "128", "--variant", variant, "--reps", "0", "--warmup", "0", "--count",
                              "--quiet", "--addresses", f"{os.path.basename(source)}:{number}"],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, encoding="utf-8")
        for row in (json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")):
            if "lanes" in row and all({"matrix": row["lanes"][0][1], **row}.get(key) == value for key, value in wanted.items()):
                return row
    return svg.fail(f'step {step} makes no request at "{text}"')


def counted(number, word):
    return f"{number} {word}{'' if number == 1 else 'es' if word == 'pass' else 's'}"


def say(x, y, size, words, colour="#222222", anchor="start", bold=False):
    svg.text(x, y, size, anchor, colour, words, bold)


def phrase(lanes):
    """The lanes that share one word: "0–15" or "0, 2, 5"."""
    if len(lanes) > 1 and lanes == list(range(lanes[0], lanes[-1] + 1)):
        return f"{lanes[0]}–{lanes[-1]}"
    return ", ".join(map(str, lanes))


def words_of(row):
    """[(offset, its lanes, whether there is room for a list of them)] in the order of addresses."""
    lanes = {}
    for lane, _, offset in row["lanes"]:
        lanes.setdefault(offset, []).append(lane)
    offsets = sorted(lanes)
    return [(at, lanes[at], i + 1 == len(offsets) or offsets[i + 1] >= at + 28) for i, at in enumerate(offsets)]


def draw_rows(words, size, left, y, apart, columns):
    """The rows of memory that are touched: {row: its y}, and where the last one ends."""
    at = {}
    for row in sorted({offset // size for offset, *_ in words}):
        y += apart if at and row - 1 not in at else 0
        at[row] = y
        say(left - 6, y + 12, 11, f"byte {row * size}", GREY, "end")
        for i in range(columns):
            svg.box(left + i * CELL, y, CELL, HIGH, "#f4f4f4", "#cccccc", 0.6)
        y += HIGH
    return at, y


def draw_words(words, row_of, left, size, columns):
    for offset, lanes, free in words:
        x, y = left + offset // 4 % columns * CELL, row_of[offset // 4 // columns]
        svg.box(x, y, size // 4 * CELL, HIGH, ORANGE if len(lanes) > 1 else BLUE, "#ffffff")
        if len(lanes) == 1:
            say(x + size // 4 * CELL / 2, y + 12, 10, lanes[0], "#ffffff", "middle")
        elif free:
            say(x + size // 4 * CELL + 5, y + 12, 11, f"lanes {phrase(lanes)}")


def global_panel(row, caption, x, y):
    left, words = x + 74, words_of(row)
    say(x, y + 13, 13, caption, bold=True)
    say(x, y + 30, 12, f"{counted(len(row['lanes']), 'lane')}, {row['size']} bytes each: {counted(row['transactions'], 'transaction')}, "
        f"{row['bytes']} bytes moved ({os.path.basename(row['file'])}:{row['line']}, {row['op']})", GREY)
    row_of, foot = draw_rows(words, 128, left, y + 40, 4, 32)
    frames = [(left + first % 128 / 4 * CELL, row_of[first // 128], count / 4 * CELL) for first, count in row["segments"]]
    for at, top, wide in frames:
        svg.fill(at, top, wide, HIGH, "#F7D9C4")
    draw_words(words, row_of, left, row["size"], 32)
    for at, top, wide in frames:
        svg.box(at, top, wide, HIGH, "none", RED, 2)
    for number, top in row_of.items():
        say(left + 32 * CELL + 8, top + 12, 11, f"{sum(count for first, count in row['segments'] if first // 128 == number)} bytes", "#B24700")
    return foot + 16


def shared_panel(row, caption, x, y):
    left, words, banks = x + 62, words_of(row), row["banks"]
    say(x, y + 13, 13, caption, bold=True)
    said = f" where {row['ideal']} would do" if row["passes"] > row["ideal"] else ", no conflict"
    say(x, y + 30, 12, f"{row['op']} of {row['array']}: {counted(row['passes'], 'pass')}{said} "
        f"({os.path.basename(row['file'])}:{row['line']})", GREY)
    say(left - 6, y + 48, 11, "bank", GREY, "end")
    for bank in range(banks):
        say(left + (bank + 0.5) * CELL, y + 48, 10, bank, GREY, "middle")
    row_of, y = draw_rows(words, 4 * banks, left, y + 54, 0, banks)
    draw_words(words, row_of, left, row["size"], banks)
    say(left - 6, y + 14, 11, "words", GREY, "end")
    asked = [(offset // 4 + i) % banks for offset, *_ in words for i in range(row["size"] // 4)]
    for bank in sorted(set(asked)):
        count = asked.count(bank)
        say(left + (bank + 0.5) * CELL, y + 14, 11, count, RED if count > 1 else "#007A5A", "middle", True)
    return y + 30


def draw(step):
    title, requests = STEPS[step]
    found = [(request(step, *which), caption) for *which, caption in requests]
    y, beside = 44, 0  # beside: where a panel ends that has room on its right
    with contextlib.redirect_stdout(io.StringIO()) as body:  # how high the picture is shows at its end
        for row, caption in found:
            if row["space"] == "global":
                y, beside = global_panel(row, caption, 16, beside or y), 0
            elif beside:
                y, beside = max(shared_panel(row, caption, 410, y), beside), 0
            else:
                beside = shared_panel(row, caption, 16, y)
    svg.begin(800, beside or y, title)
    say(16, 26, 15, title, bold=True)
    print(body.getvalue(), end="")
    svg.end()


if __name__ == "__main__":
    svg.pictures({step: functools.partial(draw, step) for step in STEPS})
