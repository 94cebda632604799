# SPDX-License-Identifier: MIT
"""The few shapes that drawings are made of, printed as SVG, and what programs say: lines of JSON."""
import json
import os
import subprocess
import sys

BLUE, RED, ORANGE = "#0072B2", "#D55E00", "#E69F00"
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def begin(width, height, title):
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
          f'font-family="sans-serif" font-size="13" fill="#222222">\n<title>{title}</title>\n'
          f'<rect width="{width}" height="{height}" fill="#ffffff"/>')


def end():
    print("</svg>")


def box(x, y, w, h, fill, stroke="#888888", width=0.8):
    print(f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" fill="{fill}" stroke="{stroke}" stroke-width="{width:g}"/>')


def fill(x, y, w, h, colour):
    """A box without an edge."""
    box(x, y, w, h, colour, "none", 0)


def text(x, y, size, anchor, colour, words, bold=False, more=""):
    """anchor: "start", "middle" or "end"; more: other attributes."""
    extra = (' font-weight="bold"' if bold else "") + more
    print(f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" fill="{colour}"{extra}>{words}</text>')


def fail(what):
    sys.exit(f"this picture cannot be drawn: {what}")


def rows_of(lines):
    rows = [json.loads(row) for row in lines if row.startswith("{")]
    return rows if rows else fail("the program logged nothing")


def run(program, *arguments):
    """The lines of JSON that a program on the PATH prints."""
    ran = subprocess.run([program, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False, encoding="utf-8")
    return rows_of(ran.stdout.splitlines()) if ran.returncode == 0 else fail(f"{program} ended with status {ran.returncode}")


def pictures(drawings):
    """Draws the one that the command line names, with the words after its name."""
    if len(sys.argv) < 2 or sys.argv[1] not in drawings:
        print(f"usage: {os.path.basename(sys.argv[0])} {'|'.join(drawings)} >picture.svg", file=sys.stderr)
        sys.exit(2)
    drawings[sys.argv[1]](*sys.argv[2:])
