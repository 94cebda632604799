# SPDX-License-Identifier: MIT
"""Looks numbers up in results files: JSON lines that tools/measure/programs keeps, below a line of conditions."""
import glob
import json
import math
import os

# What a row of each method's times has, and the file. The names are those of Li et al. (2011), or ours where the document
# has no name.
METHODS = {
    "sgemm": ("paper-times", {"variant": "volkov"}),
    "GPU8": ("paper-times", {"variant": "gpu8"}),
    "Strassen": ("paper-times", {"variant": "strassen"}),
    "tStrassen": ("paper-times", {"variant": "tstrassen"}),
    "Winograd": ("paper-times", {"variant": "winograd"}),
    "tWinograd": ("paper-times", {"variant": "twinograd"}),
    "dStrassen": ("paper-double", {"leaf": "dgemm", "variant": "dstrassen"}),
    "dWinograd": ("paper-double", {"leaf": "dgemm", "variant": "dwinograd"}),
    "dStrassen, fused GPU8": ("paper-double", {"leaf": "gpu8", "variant": "dstrassen"}),
    "dWinograd, fused GPU8": ("paper-double", {"leaf": "gpu8", "variant": "dwinograd"}),
}


class Results:
    """The files of a folder, or of the folders inside it: one for each machine."""

    def __init__(self, folder):
        self.folder, self.files = folder, {}

    def path(self, name):
        """A file's path from the results folder: of several machines' the first, but an H100's last. None where there is no
        such file."""
        base = name.partition(":")[0] + ".jsonl"
        found = [base] + sorted(glob.glob(os.path.join("*", base), root_dir=self.folder), key=lambda path: (path[:5] == "h100/", path))
        return next((path for path in found if os.path.isfile(os.path.join(self.folder, path))), None)

    def lines(self, name):
        """The lines of FILE.jsonl, or those of one program or part in it (FILE:STEP); [] where there is no such file."""
        if name not in self.files:
            path, part, wanted, of_step, lines = self.path(name), name.partition(":")[2], True, False, []
            for line in open(os.path.join(self.folder, path), encoding="utf-8") if path else ():
                row = json.loads(line)
                if part and "conditions" in row:
                    commands = [c for c in row["conditions"].get("command", []) if c.startswith(part + " ")]
                    wanted, of_step = commands or row["conditions"].get("part") == part, bool(commands)
                    if of_step:  # a file may have several programs below one line of conditions
                        row["conditions"]["command"] = commands
                if wanted and not (of_step and row.get("step", part) != part):
                    lines.append(row)
            self.files[name] = lines
        return self.files[name]

    def number(self, name, field, **wanted):
        """A number from the row whose fields are as wanted; NaN where there is none. Wrong results do not count."""
        found = [row[field] for row in self.lines(name)
                 if row.get("passed") is not False and isinstance(row.get(field), (int, float))
                 and all(row.get(key) == value for key, value in wanted.items())]
        return float(found[0]) if found else math.nan

    def conditions(self, name):
        """On what the results of a file were measured: "NVIDIA H100, driver ..., 2026-11-22"; "" if it is not there."""
        lines = self.lines(name)
        if not lines or "conditions" not in lines[0]:
            return ""
        of = lines[0]["conditions"]
        if isinstance(of.get("driver"), str) and isinstance(of.get("toolkit"), str):
            return f"{of['device']}, driver {of['driver']}, CUDA {of['toolkit']}, {of['date']}"
        return f"{of['device']}, {of['date']}"

    def commands(self, name):
        """The commands that a file's results come from."""
        lines = self.lines(name)
        return lines[0].get("conditions", {}).get("command", []) if lines else []

    def method(self, method, n, levels, field, name=None, **more):
        """A number of the method whose name begins `method`, such as "tStrassen 2048", from the file `name`, or where the
        method was timed."""
        known = max((m for m in METHODS if method.startswith(m)), key=len, default=None)
        if known is None:
            return math.nan
        file, fields = METHODS[known]
        if not name and file == "paper-double":  # Figure 40's own rows come first
            number = self.number("17-figure40", field, n=n, levels=levels, **fields)
            if not math.isnan(number):
                return number
        return self.number(name or file, field, n=n, levels=levels, **fields, **more)

    def method_ms(self, method, n, levels):
        """Milliseconds that a method takes. Without levels it is GPU8, with a texture if the method has one."""
        if levels == 0 and not method.startswith("sgemm"):
            method = "tWinograd" if method.startswith("t") else "GPU8"
        return self.method(method, n, levels, "ms_median")

    def vendor_ms(self, method, n, levels):
        """Milliseconds of the vendor's product, timed in turn with the method."""
        return self.method(method, n, levels, "reference_ms_median")


def percent_less(x, y):
    """How many percent x is less than y."""
    return 100 * (1 - x / y)


def levels_of(n, tau2):
    """The levels that tau1 = tau2 / 2 leaves at n; none for tau2 = 0."""
    levels = 0
    while tau2 and n > tau2 // 2:
        n, levels = n // 2, levels + 1
    return levels
