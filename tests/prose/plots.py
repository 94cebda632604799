#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""plots.py: every plot in the repository is what its drawer makes of docs/results today, but for a coordinate's last digit.
Another Matplotlib draws other lines: then they are only drawn, and the comparison is skipped (77)."""
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"


def near(a, b):
    """Mathematical functions round the last digit differently from one processor to another. What can be read is equal."""
    return a == b or not re.search("<text|<tspan|<title", a) and re.split(NUMBER, a) == re.split(NUMBER, b) and all(
        abs(float(x) - float(y)) <= 0.11 for x, y in zip(re.findall(NUMBER, a), re.findall(NUMBER, b)))


def difference(kept, new):
    """The first line in which two plots (SVG) differ, or ""."""
    with open(kept, encoding="utf-8") as one, open(new, encoding="utf-8") as other:
        a, b = one.read().splitlines(), other.read().splitlines()
    if len(a) != len(b):
        return f"{kept} has {len(a)} lines, {new} {len(b)}"
    return next((f"{kept}:{i}: {x}\n{new}:{i}: {y}" for i, (x, y) in enumerate(zip(a, b), 1) if not near(x, y)), "")


def main():
    os.chdir(ROOT)
    try:
        import matplotlib
        version = f"Matplotlib v{matplotlib.__version__}"
    except ImportError:
        print("skipped: no Matplotlib (Debian: apt-get install python3-matplotlib)")
        return 77
    faults, plots = 0, []
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run(["tools/draw/plots/all", scratch], check=True, stdout=subprocess.DEVNULL)
        with open("docs/results/ladder.svg", encoding="utf-8") as file:
            if f"{version}," not in file.read():
                print(f"skipped: the plots are drawn, but those here are of another Matplotlib than {version}")
                return 77
        plots = glob.glob(f"{scratch}/*.svg")
        for plot in plots:
            name = os.path.basename(plot)
            kept = glob.glob(f"steps/*/{name}") + glob.glob(f"docs/results/{name}")
            differs = difference(kept[0], plot) if len(kept) == 1 else "it is not there"
            if differs:
                print(f"{differs}\n{name} is stale: draw it anew (docs/pictures.md says with what) and look at it")
                faults = 1
    print(f"{len(plots)} plots compared")
    return faults


if __name__ == "__main__":
    sys.exit(main())
