#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tables.py RESULTS: the measured tables of Li et al. (2011), each number with the document's.

RESULTS is a folder with some of paper-times.jsonl, paper-choices.jsonl, paper-accuracy.jsonl, paper-double.jsonl and
17-figure40.jsonl, which tools/paper/measure makes. What was not measured is "-". The exit status is 1 if a result was wrong."""
import functools
import math
import sys

from cells import leading_number, numbers
from results import Results, levels_of, percent_less

LARGEST, SIZES = 16384, (2048, 4096, 8192, 16384)
FILES = "paper-times", "paper-choices", "paper-accuracy", "paper-double", "17-figure40"
METHODS = "Strassen", "tStrassen", "Winograd", "tWinograd"
DOUBLES = "dStrassen", "dWinograd", "dStrassen, fused GPU8", "dWinograd, fused GPU8"
PAPER = numbers()


def print_table(caption, heads, rows, name_width, width):
    """Heads and rows are a name and cells each; a cell is filled up to `width`, on the left where it is negative."""
    print(f"\n{caption}\n")
    for name, cells in [heads] + rows:
        print(f"{name:<{name_width}}" + "".join(f" {cell:{'>' if width < 0 else '<'}{abs(width)}}" for cell in cells))


def in_document(item, row):
    """The document's cells of a row, followed by empty ones."""
    return [value for (i, r, _), value in PAPER.items() if (i, r) == (item, row)] + [""] * 5


def seconds(ms):
    return "-" if math.isnan(ms) else f"{ms / 1000:.4f}"


def less(x, y):
    return "-" if math.isnan(percent_less(x, y)) else f"{percent_less(x, y):.1f}"


class Tables:
    def __init__(self, results):
        self.of, self.compared, self.far = results, 0, 0
        self.ms = functools.partial(results.method, field="ms_median")

    def beside(self, x, theirs, average):
        """"ours (document)", with a mark where ours is further from it than a quarter, or a half of an average."""
        if math.isnan(x):
            return f"- ({theirs})"
        other, tolerance = leading_number(theirs), 0.5 if average else 0.25
        far = not other * (1 - tolerance) <= x <= other * (1 + tolerance)
        self.compared, self.far = self.compared + 1, self.far + far
        return f"{x:.1e} ({theirs}){'*' if far else ''}"

    def error(self, method, n, levels, average, theirs):
        """An error on Kaporin's matrices, with the document's."""
        return self.beside(self.of.method(method, n, levels, "mean_error" if average else "max_error", "paper-accuracy",
                                          input="kaporin"), theirs, average)

    def fastest(self, method, n, first=1):
        """The fastest number of levels from the first on; None where none was measured."""
        times = {levels: self.of.method_ms(method, n, levels) for levels in range(first, 5)}
        times = {levels: ms for levels, ms in times.items() if not math.isnan(ms)}
        return min(times, key=times.get, default=None)

    # ---- Run time ----

    def times(self):
        rows = [(f"{'cuBLAS today':<14} {'-':>6}", [seconds(self.of.vendor_ms("GPU8", n, 0)) for n in SIZES])]
        for method in ("sgemm", "GPU8") + METHODS:
            levels = self.fastest(method, LARGEST) or 0 if method in METHODS else 0
            tau2 = LARGEST >> (levels - 1) if levels else 0
            there = f"{method} {2048 if method.startswith('t') else 4096}" if method in METHODS else method
            rows.append((f"{method:<14} {tau2 or '-':>6}",
                         [f"{seconds(self.of.method_ms(method, n, levels_of(n, tau2)))} ({theirs})"
                          for n, theirs in zip(SIZES, in_document("24", there))]))
        print_table("Figure 24: run time in seconds with each method's best tau2 (in parentheses the document's, C1060)",
                    (f"{'':<14} {'tau2':>6}", SIZES), rows, 22, 18)

    def reductions(self):
        fields, rows = ("ms_median", "model_flops", "model_transactions", "model_volume_bytes"), []

        def cell(method, n, levels):
            time, *model = (less(self.of.method(method, n, levels, field), self.of.method("GPU8", n, 0, field)) for field in fields)
            return f" {time} | {', '.join(model)}" if levels else " 0: GPU8 itself"

        def add(method, levels):
            tau2 = LARGEST >> (levels - 1)
            rows.append((f"{method:<10} {tau2:>6}", [cell(method, n, levels_of(n, tau2)) for n in SIZES]))

        for levels in 3, 4:
            for method in "Strassen", "Winograd":
                add(method, levels)
        for method in "Strassen", "Winograd":
            if self.fastest(method, LARGEST) in (1, 2):
                add(method, self.fastest(method, LARGEST))
        print_table("Figures 26 to 29: percent less than GPU8 with tau2 = 4096 and 2048, and the best where it is another (run time "
                    "| arithmetic, transactions, volume of the model)",
                    (f"{'':<10} {'tau2':>6}", [f" {n}" for n in SIZES]), rows, 17, 30)

    def by_levels(self):
        print_table("Figure 36: seconds at n = 16384 by number of levels (document)", ("", range(5)),
                    [(method, [f"{seconds(self.of.method_ms(method, LARGEST, levels))} ({theirs})"
                               for levels, theirs in zip(range(5), in_document("36", method))]) for method in METHODS], 14, 18)

        def gain(method, levels):
            ms = self.ms(method, LARGEST, levels)
            theirs = (in_document("37", f"{method} over {other}")[levels - 1] for other in ("sgemm", "GPU8"))
            return f"{less(ms, self.ms('sgemm', LARGEST, 0))}/{less(ms, self.ms('GPU8', LARGEST, 0))}/" \
                   f"{less(ms, self.of.vendor_ms(method, LARGEST, levels))} ({'/'.join(theirs)})"
        print_table("Figure 37: percent less time at n = 16384 than sgemm / GPU8 / cuBLAS today (document: sgemm/GPU8)",
                    ("", range(1, 5)), [(method, [gain(method, levels) for levels in range(1, 5)]) for method in METHODS], 14, 32)

        def row(method, n):
            all_ms = [self.of.method_ms(method, n, levels) for levels in range(5)]
            best = self.fastest(method, n, 0) if not any(map(math.isnan, all_ms)) else None
            return (f"{method:<14} {n:>6}", [f"{'-' if math.isnan(ms) else f'{ms:.3f}'}{'*' if levels == best else ''}"
                                             for levels, ms in enumerate(all_ms)])
        print_table("All levels: milliseconds by n and number of levels, the best marked * (no levels: GPU8, step 10; with t: with a "
                    "texture, step 16)", (f"{'':<14} {'n':>6}", range(5)),
                    [row(method, n) for method in METHODS for n in SIZES], 21, -10)

    def textures(self):
        """Step 10 compiles GPU8 without the fetches, step 16 with them: two machine codes."""
        rows = [(f"t{method}", [", ".join(less(self.ms(f"t{method}", n, levels), self.ms(method, n, levels))
                                          for levels in range(1, 5)) for n in SIZES]) for method in ("Strassen", "Winograd")]
        rows += [(name, [less(self.ms("tWinograd", n, 0), self.ms(method, n, 0)) for n in SIZES])
                 for name, method in (("GPU8, step 16", "Winograd"), ("GPU8, step 10", "GPU8"))]
        print_table("Textures: percent less time than without, by n and levels", ("", [f"n = {n}" for n in SIZES]), rows, 14, 28)
        choices = "none", "the left", "the right", "both"
        times = {choice: self.ms(choice, 8192, 2) for choice in choices}
        times = ["-" if math.isnan(ms) else f"{ms:.2f}" for ms in times.values()]
        print_table("Which factor is the texture: milliseconds, Winograd with two levels at n = 8192", (choices[0], choices[1:]),
                    [(times[0], times[1:])], 10, 10)

    def hybrids(self):
        def cell(method, n):
            ratios = (self.of.vendor_ms(method, n, levels) / self.ms(method, n, levels) for levels in (1, 2))
            return ", ".join("-" if math.isnan(ratio) else f"{ratio:.3f}" for ratio in ratios)
        names = "11 document", "11 no-copies", "14 over cuBLAS", "15 over cuBLAS"
        print_table("Hybrids over cuBLAS: speed relative to cublasSgemm, one and two levels", ("", SIZES),
                    [(name, [cell(name, n) for n in SIZES]) for name in names], 18, 14)

    # ---- Accuracy ----

    def errors(self):
        kinds = ("maximum", False, "30", "32"), ("average", True, "31", "34")
        for kind, average, item, _ in kinds:
            rows = [(f"{method} {tau2 or '-'}",
                     [self.error(method, n, levels_of(n, tau2), average, theirs)
                      for n, theirs in zip(SIZES, in_document(item, f"{method} {tau2}" if tau2 else method))])
                    for method, tau2 in (("sgemm", 0), ("GPU8", 0), ("Strassen", 2048), ("Strassen", 4096), ("Winograd", 2048),
                                         ("Winograd", 4096))]
            print_table(f"Figure {item}: {kind} errors against I, Kaporin's matrices, by tau2 and n (document)", ("", SIZES), rows,
                        16, 20)
        for kind, average, _, item in kinds:
            rows = [(method, [self.error(method if levels else "GPU8", LARGEST, levels, average, theirs)
                              for levels, theirs in zip(range(5), in_document(item, method))]) for method in ("Strassen", "Winograd")]
            print_table(f"Figure {item}: {kind} errors at n = 16384 by number of levels (document)", ("", range(5)), rows, 16, 20)

    # ---- Double precision ----

    def doubles(self):
        sizes = (4096, 1), (8192, 2)
        dgemm = [leading_number(theirs) for theirs in in_document("40", "dgemm")[:2]]
        rows = [("dgemm", [f"{f'{seconds(self.of.vendor_ms(DOUBLES[0], n, levels))} ({theirs})':<20}"
                           for (n, levels), theirs in zip(sizes, in_document("40", "dgemm"))])]
        for method in DOUBLES:
            ms = [self.ms(method, n, levels) for n, levels in sizes]
            ours = [seconds(time) for time in ms] + [less(time, self.of.vendor_ms(method, n, levels))
                                                     for time, (n, levels) in zip(ms, sizes)]
            if "fused" not in method:
                there = in_document("40", method)[:2]
                there += [f"{percent_less(leading_number(x), y):.1f}" for x, y in zip(there, dgemm)]
                ours = [f"{x} ({theirs})" for x, theirs in zip(ours, there)]
            rows.append((method, [f"{cell:<{width}}" for cell, width in zip(ours, (20, 20, 16, 16))]))
        print_table("Figure 40: double precision, tau2 = 4096, seconds (document, C2050) and percent less than dgemm (document)",
                    ("", [f"{4096:<20}", f"{8192:<20}", f"{4096:<16}", f"{8192:<16}"]), rows, 22, 0)

        def large(method, levels):
            ms, vendor = self.ms(method, LARGEST, levels), self.of.vendor_ms(method, LARGEST, levels)
            slowest = self.of.method(method, LARGEST, levels, "ms_max")
            return f"{seconds(ms)}  {seconds(slowest)}  {seconds(vendor)}  {less(ms, vendor)}"
        print_table("Double at n = 16384: seconds, the slowest run, dgemm in the same run, and percent less than it",
                    ("", ["1 level", "2 levels"]),
                    [(method, [large(method, levels) for levels in (1, 2)]) for method in DOUBLES[:2]], 14, 30)
        rows = [(method, [self.error(of, 8192, levels, average, in_document("43", method)[average]) for average in (False, True)])
                for method, of, levels in (("dgemm", "dStrassen", 0), ("dStrassen", "dStrassen", 2), ("dWinograd", "dWinograd", 2))]
        print_table("Figure 43: errors against I, Kaporin's matrices, n = 8192, tau2 = 4096 (document)",
                    ("", ["maximum", "average"]), rows, 14, 22)

    def random_errors(self):
        """Errors over the mean of |C|, over all seeds: the largest, and the mean of the averages."""
        rows = []
        for method in DOUBLES[:2]:
            runs = [row for row in self.of.lines("paper-accuracy")[1:]
                    if row.get("variant") == method.lower() and row.get("input") != "kaporin" and row.get("passed")]
            theirs = in_document("44", method)
            largest, averages = ([run[field] / run["mean_magnitude"] for run in runs] for field in ("max_error", "mean_error"))
            if runs:
                rows.append((method, [self.beside(max(largest), theirs[0], False),
                                      self.beside(sum(averages) / len(runs), theirs[1], True)]))
        print_table("Figure 44: errors against dgemm, over the mean of |C|, ten random pairs, n = 8192 (document: against a CPU's "
                    "product)", ("", ["largest maximum", "mean average"]), rows, 14, 22)


def main():
    if len(sys.argv) != 2:
        print("usage: tools/paper/tables.py RESULTS, such as docs/results/h100", file=sys.stderr)
        return 2
    results = Results(sys.argv[1], latest=True)
    there = [name for name in FILES if results.lines(name)]
    if not there:
        print(f"paper/tables.py: no paper-*.jsonl in {sys.argv[1]}; see tools/paper/measure", file=sys.stderr)
        return 3
    for name in there:
        print(f"# {name}.jsonl: {results.conditions(name)}")
    wrong = sum(row.get("passed") is not True for name in there for row in results.lines(name)[1:])
    tables = Tables(results)
    for table in (tables.times, tables.reductions, tables.by_levels, tables.textures, tables.hybrids, tables.errors, tables.doubles,
                  tables.random_errors):
        table()
    print(f"\n{tables.compared} accuracy cells compared with the document; {tables.far} marked * are further away than 25% (maxima) "
          "or 50% (means).")
    if wrong:
        print(f"{wrong} results were wrong and are left out.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
