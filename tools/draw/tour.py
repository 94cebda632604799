#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tour.py [--results DIR] [--out FILE]: the plot of a tour once more, from the table that it printed: DIR/tour.txt (docs/results/epyc-2
unless told). The device is that of the other results there. As SVG, with LADDER_PHONE=1 for a window of 390 pixels; needs gnuplot."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

import svg


def bars_of(table):
    """[(step, variant, its speed, the vendor library's or 0)] from a tour's table, as far as it is timed."""
    found, step = [], ""
    for line in table:
        words = line.split()
        if line.startswith("Counted"):
            break
        if line[:2].isdigit() and line[2:3] == "-":
            step = words[0]
        elif step and words and words[-1] == "right":
            speed, times = float(words[4]), float(words[5]) if words[5][0].isdigit() else 0
            found.append((step, words[0], speed, speed / times if times else 0))
            step = ""
    return found


def main():
    parser = argparse.ArgumentParser(prog="draw/tour", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--results", metavar="DIR", default=os.path.join(svg.ROOT, "docs", "results", "epyc-2"))
    parser.add_argument("--out", metavar="FILE", default=os.path.join(svg.ROOT, "docs", "results", "tour.svg"))
    asked = parser.parse_args()
    with open(os.path.join(asked.results, "tour.txt"), encoding="utf-8") as file:
        bars = bars_of(file)
    with open(os.path.join(asked.results, "04-cpu-strassen.jsonl"), encoding="utf-8") as file:
        device = json.loads(next(file))["conditions"]["device"]
    near = 10 if os.environ.get("LADDER_PHONE") else 2.5
    with tempfile.TemporaryDirectory() as scratch:
        # As print.c writes them: a row, its name, its speed, its label and where; and the library's speed.
        with open(os.path.join(scratch, "bars"), "w", encoding="utf-8") as to, open(os.path.join(scratch, "vendor"), "w", encoding="utf-8") as vendor:
            for row, (step, variant, speed, library) in enumerate(bars, 1):
                at = library if speed < library < near * speed else speed  # a label is on the far side of the library's line
                to.write(f"{row}\t{step}\t{speed:g}\t{speed:g}  {variant}\t{at:.10g}\n")
                if library:
                    vendor.write(f"{library:.10g}\t{row - 0.5:g}\n{library:.10g}\t{row + 0.5:g}\n")
        subprocess.run(["gnuplot", "-d", "-c", os.path.join(svg.ROOT, "tools", "tour", "tour.gp"), device], cwd=scratch, check=True)
        shutil.copy(os.path.join(scratch, "tour.svg"), asked.out)
    print(f"{asked.out}: {len(bars)} bars")
    return 0


if __name__ == "__main__":
    sys.exit(main())
