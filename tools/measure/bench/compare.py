# SPDX-License-Identifier: MIT
"""Compares two results files and lists all results files in a folder."""
import json
import math
import os
import re
import sys
from dataclasses import dataclass

RESOURCE = 3


def files_in(place):
    """The .jsonl files in a folder and its folders, or the file itself."""
    if not os.path.isdir(place):
        return [place] if place.endswith(".jsonl") and os.path.isfile(place) else []
    return [file for name in sorted(os.listdir(place)) if not name.startswith(".") for file in files_in(os.path.join(place, name))]


def lines_of(path):
    """(the conditions, the row) of each line; {} for the conditions' own row, and conditions {} where none are above."""
    conditions = {}
    if not os.path.isfile(path):
        return
    with open(path, encoding="utf-8") as file:
        for line in file:
            try:
                row = json.loads(line)
            except ValueError:
                continue  # half a line: a call that was killed
            conditions = row.get("conditions", conditions)
            yield conditions, {} if "conditions" in row else row


def joined(words):
    """A list of words; without "AMD EPYC" where there is "AMD EPYC, 2 cores"."""
    text = ""
    for word in words:
        if word and not re.search(rf"(^|(?<= )){re.escape(word)}(,|$)", text):
            text += (", " if text else "") + word
    return text


@dataclass
class Result:
    """A timed result: the times of its runs, and the vendor's time over ours, None where it was not measured."""
    median: float
    least: float
    most: float
    reps: int
    ratio: float

    def differs(self, other):
        """All runs of one are shorter than all of the other, which by chance, with programs that are equally fast, would
        happen in one of twenty comparisons at most."""
        apart = self.most < other.least or other.most < self.least
        return apart and 2 / math.comb(int(self.reps + other.reps), int(self.reps)) < 0.05


def key_of(row):
    """Step, variant, precision, sizes, levels and leaf: what is compared with what."""
    n, levels = math.nan if row.get("n") is None else row["n"], row.get("levels") or 0
    m, k = (n if row.get(name) is None else row[name] for name in "mk")
    key = f"{row['step']:<23.23} {row['variant']:<14.14} {row.get('precision') or '':<4.4} {n:6.0f}"
    key += f"{' L' if levels else '  '}{levels:.0f}"
    key += f" m {m:.0f} k {k:.0f}" if m != n or k != n else ""
    return key + (f" {row['leaf']}" if row.get("backend") == "cpu" and row.get("leaf") else "")


class Results:
    """Those of FILE, FOLDER or FILE@REVISION; of two with one key the last counts."""

    def __init__(self, place):
        self.place, self.times, self.machines = place, {}, {}
        path, revision = place, None
        if not os.path.exists(place) and "@" in place:
            path, _, revision = place.rpartition("@")
        for file in files_in(path):
            for conditions, row in lines_of(file):
                if row and (not revision or conditions.get("revision") == revision):
                    self.add(row)
        if not self.times:
            print(f"ladder: no times in '{path}'{f' of revision {revision}' if revision else ''}", file=sys.stderr)

    def add(self, row):
        median = row.get("ms_median")
        if median is None or "step" not in row or "variant" not in row or row.get("passed") is False or row.get("backend") == "sim":
            return  # a wrong result has no speed, and neither has a simulated GPU
        least, most = (median if row.get(name) is None else row[name] for name in ("ms_min", "ms_max"))
        self.times[key_of(row)] = Result(median, least, most, row.get("reps") or 1, row.get("ratio"))
        self.machines[row.get("device")] = True

    def __str__(self):
        return f"{self.place} ({joined(self.machines)})"


def print_comparison(place_a, place_b):
    """Prints the results of both places: those of one step, variant, precision and size in a line. Returns the exit status."""
    a = Results(place_a)
    b = Results(place_b) if a.times else None
    if not (a.times and b.times):
        return RESOURCE
    print(f"A: {a}\nB: {b}\n\n{'step':<23} {'variant':<14} {'':<4} {'n':>6} {'':>2} {'A ms':>9} {'B ms':>9} {'A/B':>6}   "
          f"{'A/vendor':>8} {'B/vendor':>8}")
    both = [(key, x, b.times[key]) for key, x in a.times.items() if key in b.times]
    for key, x, y in both:
        ratios = " ".join(f"{'-' if ratio is None else f'{ratio:.3f}':>8}" for ratio in (x.ratio, y.ratio))
        print(f"{key} {x.median:9.3f} {y.median:9.3f} {x.median / y.median:6.3f} {'*' if x.differs(y) else ' '} {ratios}")
    if not both:
        print(f"ladder: '{place_a}' and '{place_b}' have no measurement in common", file=sys.stderr)
        return RESOURCE
    faster = sum(x.differs(y) and y.median < x.median for _, x, y in both)
    slower = sum(x.differs(y) and y.median > x.median for _, x, y in both)
    print(f"""
{len(both)} measurements in common: B is faster in {faster}, slower in {slower},\nand in {len(both) - faster - slower} the runs do not decide.
A/B above 1: B is faster. A * marks a difference that the runs show: all runs of one are
shorter than all runs of the other. For equal speeds the chance of that is below 5 %.
(Two sets of three runs are too few for a mark; two sets of five are enough.)""")
    return 0


def print_index(folder):
    """Prints a table of the results files in a folder and the folders in it: machines, dates and steps."""
    files = files_in(folder)
    if not files:
        print(f"ladder: no results in '{folder}'", file=sys.stderr)
        return RESOURCE
    print("| file | machine | measured | steps | lines |\n| --- | --- | --- | --- | --- |")
    for path in files:
        machines, dates, steps, rows = {}, {}, {}, 0
        for conditions, row in lines_of(path):
            machines[(row or conditions).get("device")] = dates[conditions.get("date")] = steps[row.get("step")] = True
            rows += bool(row)
        columns = (joined(words) or "–" for words in (machines, dates, steps))
        name = os.path.relpath(path, folder)
        print(f"| [{name}]({name}) | {' | '.join(columns)} | {rows} |")
    return 0
