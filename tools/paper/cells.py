# SPDX-License-Identifier: MIT
"""What is in the cells of the documents' figures and tables: the functions that items.txt names. Each takes where the cell
is and returns a number (NaN where there is none) or a formula ("" where there is none)."""
import csv
import math
import os
import re
import subprocess
from dataclasses import dataclass

from results import Results, levels_of, percent_less

FOLDER = os.path.dirname(os.path.abspath(__file__))
SIZE = 1024  # of Table 1 of Fatahalian et al. (2004)


def leading_number(text):
    """The number that a text begins with, or 0."""
    found = re.match(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", text)
    return float(found[0]) if found else 0.0


def numbers():
    """The rows of numbers.csv, by item, row and column: what the documents print."""
    with open(os.path.join(FOLDER, "../../docs/documents/numbers.csv"), encoding="utf-8") as file:
        return {(row["item"], row["row"], row["column"]): row["value"] for row in csv.DictReader(file)}


@dataclass
class Place:
    """Where a cell is in an item's table."""
    row: str
    column: str
    argument: str  # what items.txt has after the function's name
    ours: bool  # our cell, not the document's

    @property
    def n(self):
        """The n that a column is for."""
        return int(leading_number(self.column))

    @property
    def levels(self):
        """The levels at the n of a column with the tau2 in the row's name, if there is one."""
        return levels_of(self.n, int(leading_number(self.row.partition(" ")[2])))


class Cells:
    """All functions, over the documents' numbers and one folder of results."""

    def __init__(self, results, model):
        """model: the program that prints what the cost model says, made from model.c."""
        self.results, self.model_program, self.paper = Results(results), model, numbers()
        self.costs = {}

    def printed(self, item, row, column):
        """The document's cell as a number."""
        text = self.paper.get((item, row, column))
        return math.nan if text is None else leading_number(text)

    # ---- The cost model of Li et al. (2011): Figures 11, 14, 15 and 17 to 22 ----

    def cost(self, method, levels, n, quantity):
        """What the model says; None for what it does not know."""
        if not self.costs:
            lines = subprocess.run([self.model_program], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
            for row in csv.DictReader(lines):
                self.costs[row["name"], int(row["levels"]), int(row["n"])] = row
        costs = self.costs.get((method, levels, n))
        return float(costs[quantity]) if costs and quantity in ("arithmetics", "transactions", "volume") else None

    def polynomial(self, method, levels, quantity):
        """c3 n^3 + c2 n^2, from the values at n and 2n: leaves are whole tiles of GPU8 on four levels then. All
        coefficients are fractions over powers of two, so that nothing is rounded."""
        n = 2048
        one, two = (self.cost(method, levels, size, quantity) for size in (n, 2 * n))
        c3 = (two / (4 * n * n) - one / (n * n)) / n
        return c3, one / (n * n) - c3 * n

    def reduction_by_model(self, method, levels, n, quantity):
        """How many percent less than GPU8 a method does."""
        ours, gpu8 = self.cost(method, levels, n, quantity), self.cost("GPU8", 0, n, quantity)
        return math.nan if ours is None or gpu8 is None else percent_less(ours, gpu8)

    def kernel(self, at):
        """A cell of Figure 11: of kernels that are a product, T (or V) and what they add."""
        if at.column not in ("transactions", "volume") or self.cost(at.row, 0, 2048, at.column) is None:
            return ""
        of, product = self.polynomial(at.row, 0, at.column), self.polynomial("GPU8", 0, at.column)
        if not at.row.startswith("mul"):
            return written(of, "m")
        symbol, more = at.column[0].upper(), (of[0] - product[0], of[1] - product[1])
        return f"{symbol} + {written(more, 'm')}" if more[1] else f"{symbol} = {written(product, 'm')}"

    def model(self, at):
        figure = int(at.argument)
        if figure == 11:
            return self.kernel(at)
        if figure == 15 or figure >= 20:  # rows are "Strassen 4096"
            method, _, n = at.row.partition(" ")
            reduction = self.reduction_by_model(method, 1 if figure == 15 else figure - 18, int(n or 0), at.column)
            return "" if math.isnan(reduction) else f"{reduction:.1f}"
        levels = 0 if at.row == "GPU8" else 1 if figure == 14 else figure - 15
        return "" if self.cost(at.row, levels, 2048, at.column) is None else \
            written(self.polynomial(at.row, levels, at.column), "n")

    # ---- Li et al. (2011), run time: Figures 24 to 29, 36 to 39 ----

    def time(self, at):
        if at.row.startswith("cuBLAS"):
            return self.results.vendor_ms("GPU8", at.n, 0) / 1000
        return self.results.method_ms(at.row, at.n, at.levels) / 1000

    def time_by_levels(self, at):
        if at.row.startswith("cuBLAS"):
            return math.nan if at.n else self.results.vendor_ms("GPU8", 16384, 0) / 1000
        return self.results.method_ms(at.row, 16384, at.n) / 1000

    def less_by_levels(self, at):
        """Over cuBLAS: the product that was timed in turn with the method."""
        levels, against = at.n, "sgemm" if "over sgemm" in at.row else "GPU8"
        return percent_less(self.results.method_ms(at.row, 16384, levels),
                            self.results.vendor_ms(at.row, 16384, levels) if "over cuBLAS" in at.row
                            else self.results.method_ms(against, 16384, 0))

    def their_reduction(self, method, n, tau2):
        """The document's statement on the run time with this tau2."""
        seconds = self.printed("24", f"{method} {tau2}", str(n))
        if math.isnan(seconds) and n == 16384:  # with tau2 = 2048 the document times these levels alone
            seconds = self.printed("36", method, str(levels_of(n, tau2)))
        return percent_less(seconds, self.printed("24", "GPU8", str(n)))

    def our_reduction(self, method, n, levels):
        return percent_less(self.results.method_ms(method, n, levels), self.results.method_ms("GPU8", n, 0))

    def reduction(self, at):
        """How many percent less a method takes than GPU8: of the measured "run time", or of a quantity of the model.
        Figures 26 to 29: of one method with one tau2."""
        method, tau2 = at.argument.split()
        levels = levels_of(at.n, int(tau2))
        if at.row != "run time":
            return self.reduction_by_model(method, levels, at.n, at.row)
        return self.our_reduction(method, at.n, levels) if at.ours else self.their_reduction(method, at.n, int(tau2))

    # ---- Li et al. (2011), accuracy: Figures 30 to 35, 43, 44 ----

    def kaporin_error(self, at, n, levels):
        """An error on Kaporin's matrices: on the GPU, otherwise on the simulated one; as the document made them (single
        precision at each operation) where that was measured."""
        mean = at.argument == "mean"
        if "CPU" in at.row:
            return self.results.number("01-kaporin", "mean_error_f32" if mean else "max_error", input="kaporin-f32",
                                       precision="f32", n=n)
        method = at.row if levels or at.row.startswith("sgemm") else "GPU8"
        for matrices, average in ("kaporin-f32", "mean_error_f32"), ("kaporin", "mean_error"):
            for file in "paper-single", "paper-levels", "14-kaporin", "paper-accuracy":
                error = self.results.method(method, n, levels, average if mean else "max_error", file, input=matrices)
                if not math.isnan(error):
                    return error
        return math.nan

    def error(self, at):
        return self.kaporin_error(at, at.n, at.levels)

    def error_by_levels(self, at):
        return self.kaporin_error(at, 16384, at.n)

    def double_error(self, at):
        field = "max_error" if at.column == "maximum" else "mean_error"
        if at.row == "CPU":
            return self.results.number("01-kaporin", field, input="kaporin", precision="f64", n=8192)
        method, levels = ("dStrassen", 0) if at.row == "dgemm" else (at.row, 2)
        return self.results.method(method, 8192, levels, field, "paper-accuracy", input="kaporin")

    def error_over_mean(self, at):
        """All pairs, where they were measured: one file has as many of them as the other."""
        variant = at.row.lower() if at.row in ("dStrassen", "dWinograd") else "dgemm"
        first, more, some = (self.results.number(file, at.column, input="positive", variant=variant)
                             for file in ("17-figure44", "17-figure44-more", "17-elements"))
        if math.isnan(first):
            return some
        if math.isnan(more):
            return first
        return max(first, more) if at.column == "maximum" else (first + more) / 2

    # ---- Li et al. (2011), double precision (Figures 40 to 42), and sgemm with A as a texture (section 8.1) ----

    def double(self, at):
        """A method and its percentage against the dgemm that was measured in turn with it. The row of dgemm is the one
        measured in turn with dStrassen."""
        levels = levels_of(at.n, 4096)
        if at.row.startswith("dgemm"):
            return self.results.vendor_ms("dStrassen", at.n, levels) / 1000
        ms = self.results.method(at.row, at.n, levels, "ms_median")
        return percent_less(ms, self.results.vendor_ms(at.row, at.n, levels)) if "less" in at.row else ms / 1000

    def textured(self, at):
        return percent_less(*(self.results.number("16-texture", "ms_median", variant=variant, n=at.n)
                              for variant in ("tsgemm", "sgemm")))

    # ---- Li et al. (2011), "Speedup most closely follows volume" (sections 8.1.1 and 9) ----

    def reduction_at(self, method, n, levels, quantity, ours):
        """One method at one size, as reduction()."""
        if quantity != "run time":
            return self.reduction_by_model(method, levels, n, quantity)
        if ours:
            return self.our_reduction(method, n, levels)
        if n == 16384:
            return self.printed("37", f"{method} over GPU8", str(levels))
        # smaller sizes: with tau2 = 4096 alone
        return self.their_reduction(method, n, 4096) if levels_of(n, 4096) == levels else math.nan

    def mean_distance(self, n, most_levels, quantity, ours):
        """The mean distance of a quantity from the run time, over both methods and up to this many levels."""
        distances = []
        for levels in range(1, most_levels + 1):
            for method in "Strassen", "Winograd":
                time = self.reduction_at(method, n, levels, "run time", ours)
                if not math.isnan(time):
                    distances.append(abs(self.reduction_at(method, n, levels, quantity, ours) - time))
        return sum(distances) / len(distances) if distances and quantity != "run time" else math.nan

    def conclusion(self, at):
        """Rows: "Strassen 8192 2" is two levels at n = 8192, "distance 8192 2" the mean up to two levels."""
        method, n, levels = at.row.split()
        if method == "distance":
            return self.mean_distance(int(n), int(levels), at.column, at.ours)
        return self.reduction_at(method, int(n), int(levels), at.column, at.ours)

    # ---- Fatahalian et al. (2004); GB are of 2^30 bytes ----

    def streams_ms(self, row, n):
        """The same program on our GPU; instead of ATLAS, cuBLAS. ATI Multi is NV Multi unrolled three to six times,
        whichever was fastest: six here."""
        if "ATLAS" in row:
            return self.results.number("06-17-gpu:07-gpu-streams", "reference_ms_median", n=n)
        if "ATI" in row:
            return self.results.number("07-streams:unrolled", "ms_median", variant="multi", levels=0, n=n)
        return self.results.number("06-17-gpu:07-gpu-streams", "ms_median", variant=single_or_multi(row), n=n)

    def gflops(self, row, n):
        return 2.0 * n * n * n / self.streams_ms(row, n) / 1e6

    def input_gb_s(self, row, n):
        """The bandwidth that a program sees: of the fetches without the arithmetic; of the library, as if each of its 2n^3
        operands came from memory."""
        if "ATLAS" in row:
            return 2.0 * n * n * n * 4 / self.streams_ms(row, n) * 1e3 / 2**30
        if "ATI" in row:
            return self.results.number("07-streams:unrolled", "gib_per_s", variant="multi", n=n)
        return self.results.number("07-streams:bandwidth", "gib_per_s", variant=single_or_multi(row), n=n, unroll=1)

    def micro(self, variant, field):
        return self.results.number("07-microbenchmarks", field, variant=variant)

    def streams(self, at):
        if at.column == "seconds":
            return self.streams_ms(at.row, SIZE) / 1000
        return self.gflops(at.row, SIZE) if at.column == "GFLOP/s" else self.input_gb_s(at.row, SIZE)

    def rates(self, at):
        if at.row == "four textures" and at.column == "cache GB/s":
            return self.results.number("07-streams:several", "gib_per_s", variant="texture-several")
        if at.row in ("four textures", "Pentium 4"):
            return math.nan
        if at.column == "GFLOP/s":
            return self.micro("multiply-add", "gflops")
        return self.micro("texture-one" if at.column == "cache GB/s" else "texture-sequential", "gib_per_s")

    def tuning(self, at):
        """An idea that section 2 tried without success: several render targets."""
        variant = "single" if at.row == "one target" else "targets"
        return self.results.number("07-streams:tricks", "gflops", variant=variant, n=int(at.column))

    def analysis(self, at):
        """Multiply-adds of four components per clock, floats fetched per clock, and operations per float."""
        if at.ours:
            gflops, gb_s, mhz = (self.micro("multiply-add", "gflops"), self.micro("texture-one", "gib_per_s"),
                                 self.micro("multiply-add", "clock_mhz"))
        else:
            gflops, gb_s, mhz = (self.printed("fatahalian-table-2", at.row, column)
                                 for column in ("GFLOP/s", "cache GB/s", "clock MHz"))
        floats, mads = gb_s * 2**30 / 4 / (mhz * 1e6), gflops * 1e3 / 8 / mhz
        return {"clock MHz": mhz, "mads a clock": mads, "floats a clock": floats}.get(at.column, 8 * mads / floats)

    def speeds(self, at):
        if at.ours:
            return self.gflops(at.row, at.n)
        return self.printed("fatahalian-table-1", at.row, "GFLOP/s") if at.column == "1024" else math.nan

    def shares(self, at):
        peak = at.column == "% of peak"
        if not at.ours:
            cards = "NV 5900", "NV 6800", "ATI 9800", "ATI X800"  # the card of a row of Table 1, as Table 2 calls it
            card = next((card for card in cards if at.row.startswith(card)), "Pentium 4")
            return 100 * self.printed("fatahalian-table-1", at.row, "GFLOP/s" if peak else "GB/s") / \
                self.printed("fatahalian-table-2", card, "GFLOP/s" if peak else "cache GB/s")
        if peak:
            return 100 * self.gflops(at.row, SIZE) / self.micro("multiply-add", "gflops")
        return math.nan if "ATLAS" in at.row else \
            100 * self.input_gb_s(at.row, SIZE) / self.micro("texture-one", "gib_per_s")

    # ---- The optimisation study ----

    def memory(self, at):
        return self.results.number("04-cpu-strassen", "workspace_bytes", variant="seven" if "all" in at.row else "one",
                                   n=1024, levels=at.n) / 4 / 1024 / 1024

    def order(self, at):
        method = "Winograd" if at.row.startswith("Winograd") else "Strassen"
        return self.results.number("05-order", at.column + "s", method=method,
                                   order="in-turn" if "before" in at.row else "fewest")

    def counts(self, at):
        return self.results.number("05-order", at.column, method=at.row, order="by-definition")

    # ---- Musella ----

    def processor(self, at):
        fields = {"variant": "ijk"} if at.row == "naive" else {"variant": "one", "leaf": "ijk"} if at.row == "hybrid" \
            else {"variant": "appendix" if "one workspace" in at.row else "appendix-malloc"}
        today = {"variant": "2x2"} if "one workspace" in at.row else fields
        for file, fields in ("musella", fields), ("musella-cpu", fields), ("musella-cpu", today):
            ms = self.results.number(file, "ms_median", precision="i32", n=at.n, **fields)
            if not math.isnan(ms):
                break
        return ms / 1000

    def complexity(self, at):
        """The exponent of n in the time: the logarithm of the number of products of blocks."""
        products = self.results.number("05-order", "multiplications", method=at.row, order="by-definition")
        return f"n^{math.log2(products):.2g}"

    def hybrid(self, at):
        """Figure 2.3: the better of the two, which is what the document's threshold makes."""
        naive = at.row == "naive" or at.n < 1024
        return self.printed("musella-table-2.1", "naive" if naive else "Strassen", at.column)

    def over(self, at):
        """With levels down to the document's n0; the leaf alone has none."""
        levels = levels_of(at.n, 1024 if at.argument == "tile16" else 2048) if at.row == "Strassen" else 0
        return self.results.number("11-hybrid:musella", "ms_median", leaf=at.argument, n=at.n, levels=levels)


def single_or_multi(row):
    return "single" if "Single" in row else "multi"


def written(coefficients, variable):
    """(17 / 4096, 1 / 16) as "17n^3/4096 + n^2/16"."""
    text = ""
    for coefficient, power in zip(coefficients, (3, 2)):
        if not coefficient:
            continue
        numerator, denominator = abs(coefficient).as_integer_ratio()
        text += (" - " if text else "-") if coefficient < 0 else " + " if text else ""
        text += f"{numerator if numerator != 1 else ''}{variable}^{power}{f'/{denominator}' if denominator != 1 else ''}"
    return text
