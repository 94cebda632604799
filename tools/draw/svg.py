# SPDX-License-Identifier: MIT
"""The few shapes that drawings are made of, printed as SVG: what svg.h has for those in C. And the log that a step's program
prints on the simulated GPU with --calls and --addresses."""
import json
import sys

BLACK, BLUE, RED, GREY, PALE = "#222222", "#0072B2", "#D55E00", "#666666", "#f6f6f6"
PALE_BLUE, PALE_ORANGE, PALE_GREEN = "#cfe6f5", "#fbe3b0", "#cdeadf"


def begin(width, height, title):
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
          f'font-family="sans-serif" font-size="13" fill="#222222">\n<title>{title}</title>\n'
          f'<rect width="{width}" height="{height}" fill="#ffffff"/>')


def end():
    print("</svg>")


def box(x, y, w, h, fill, stroke, width):
    print(f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" fill="{fill}" stroke="{stroke}" stroke-width="{width:g}"/>')


def line(x0, y0, x1, y1, stroke, width):
    print(f'<line x1="{x0:g}" y1="{y0:g}" x2="{x1:g}" y2="{y1:g}" stroke="{stroke}" stroke-width="{width:g}"/>')


def text(x, y, size, anchor, fill, words, bold=False):
    """anchor: "start", "middle" or "end"."""
    extra = ' font-weight="bold"' if bold else ""
    print(f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" fill="{fill}"{extra}>{words}</text>')


def fail(what):
    sys.exit(f"this picture cannot be drawn: {what}")


def read_log():
    """What a program logged, from standard input: its calls, and the requests of its half-warps."""
    rows = [json.loads(row) for row in sys.stdin if row.startswith("{")]
    calls, requests = ([row for row in rows if key in row] for key in ("call", "lanes"))
    if not calls and not requests:
        fail("the program logged nothing")
    return calls, requests
