# SPDX-License-Identifier: MIT
"""The look of every plot. LADDER_PHONE=1 draws for a window of 390 pixels: letters of at least 11 pixels, the key below."""
import argparse
import io
import json
import os
import re
import sys
import textwrap

try:
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    import matplotlib.ticker
except ImportError:
    matplotlib = plt = None

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
MISSING = None if matplotlib else "python3-matplotlib is not installed (Debian: apt-get install python3-matplotlib)"
PHONE = bool(os.environ.get("LADDER_PHONE"))
COLORS = "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999933"
STEPS = "#000000", "#e69f00", "#0072b2", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#7a6a00"  # in performance.svg
TEXT, FAINT = "#222222", "#555555"
SMALL = 11  # pixels: the smallest letters
LOOK = {
    "font.size": 12.5, "axes.titlesize": 13, "axes.titlecolor": TEXT, "axes.edgecolor": "#888888", "axes.grid": True,
    "axes.axisbelow": True, "axes.spines.top": False, "axes.spines.right": False, "grid.color": "#e8e8e8", "grid.linewidth": 1,
    "xtick.color": "#888888", "xtick.labelcolor": TEXT, "ytick.color": "#888888", "ytick.labelcolor": TEXT,
    "xtick.minor.size": 0, "ytick.minor.size": 0, "legend.frameon": False, "legend.fontsize": 12, "legend.labelspacing": 0.3,
    "lines.linewidth": 1.5, "lines.markersize": 5, "mathtext.default": "regular",
    "svg.fonttype": "none", "svg.hashsalt": "ladder",  # text that can be selected, and the same file each time
}


class Row(dict):
    """A row of results, whose fields are attributes; None where it has no such field."""
    __getattr__ = dict.get


def rows_of(*paths):
    """The rows of those files that are there, conditions included."""
    rows = []
    for path in paths:
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                rows += [Row(json.loads(line)) for line in file if line.strip()]
    return rows


def options(description, results, out, arguments=()):
    """The command line: --results and --out with these defaults, and (name, settings) of further arguments."""
    name = os.path.splitext(os.path.basename(sys.argv[0]))[0]
    parser = argparse.ArgumentParser(prog=f"draw/{name}", description=description, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--results", metavar="DIR", default=results)
    parser.add_argument("--out", metavar="FILE" if out.endswith(".svg") else "DIR", default=out)
    for argument, settings in arguments:
        parser.add_argument(argument, **settings)
    asked = parser.parse_args()
    if MISSING:
        sys.exit(resource(MISSING))
    return asked


def resource(what):
    """Says what is missing; returns the exit status for that."""
    print(f"draw/{os.path.splitext(os.path.basename(sys.argv[0]))[0]}: {what}", file=sys.stderr)
    return 3


def figure(width, height, phone_height=430, rows=1):
    """A figure of this many pixels and its axes, a list where there are several rows."""
    plt.close("all")
    plt.rcParams.update(LOOK)
    if PHONE:
        width, height = 390, phone_height
    return plt.subplots(rows, 1, figsize=(width / 72, height / 72), layout="constrained")  # a point is a pixel here


def wrapped(text, narrow=44):
    """A title or a caption; on a phone in lines of this many letters."""
    return textwrap.fill(text, narrow) if PHONE else text


def key(axes, **more):
    """The key: on the right of the plot, on a phone below it."""
    below = matplotlib.transforms.ScaledTranslation(0, -62 / 72, axes.get_figure().dpi_scale_trans)  # of the x axis
    legend = axes.legend(loc="upper left", bbox_to_anchor=(0, 0) if PHONE else (1.01, 1), borderaxespad=0,
                         bbox_transform=axes.transAxes + below if PHONE else axes.transAxes, **more)
    for name in legend.get_texts():
        name.set_text(wrapped(name.get_text(), 36 // more.get("ncols", 1)))


def logarithmic(axis, base=10):
    """Makes an axis logarithmic, with plain numbers as labels: the letters of an exponent would be too small."""
    (axis.axes.set_xscale if axis is axis.axes.xaxis else axis.axes.set_yscale)("log", base=base)
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter(matplotlib.ticker.NullFormatter())


def ticks(axes, values, labels=None, turned=0):
    """These numbers on the x axis, and no others."""
    axes.set_xticks(values, labels or [f"{value:g}" for value in values], rotation=turned or (35 if PHONE else 0),
                    **({"ha": "right", "rotation_mode": "anchor"} if turned or PHONE else {}))
    axes.set_xticks([], minor=True)


def save(drawing, path):
    """Writes the figure; the same figure gives the same file."""
    text = io.StringIO()
    drawing.savefig(text, format="svg", metadata={"Date": None})
    with open(path, "w", encoding="utf-8") as file:
        file.write(re.sub(r'(width|height)="([\d.]+)pt"', r'\1="\2"', text.getvalue()))
