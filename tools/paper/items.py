# SPDX-License-Identifier: MIT
"""Reads items.txt, which explains its fields: every figure and table of the four documents, and how we answer it."""
import math
import os
import re

from cells import FOLDER, Place

NEEDED = ("place", "shows", "see")
OWN = ("title", "picture")
SHARED = ("answered", "agree", "from", "ran", "code", "measure", "today", "numbers", "rows", "columns", "theirs", "ours", "exact", "x", "y",
          "scale")


class Item:
    """A figure or a table. A field that items.txt does not give is "". rows and columns are lists."""

    def __init__(self, fields, document, cells):
        self.id, self.document, self.cells = fields["item"], document, cells
        for name in NEEDED + OWN + SHARED:
            setattr(self, "files" if name == "from" else name, fields.get(name, ""))
        self.title = self.title or f"Figure {self.id}"
        self.files = self.files.split()
        in_document = [key for key in cells.paper if key[0] == self.numbers]
        self.rows = unique(self.rows.split(";") if self.rows else [row for _, row, _ in in_document])
        self.columns = unique(self.columns.split(";") if self.columns else [column for _, _, column in in_document])

    def cell(self, call, row, column, ours):
        """A cell by "FUNCTION ARGUMENT", as it is printed."""
        name, _, argument = call.partition(" ")
        function = getattr(self.cells, name.replace("-", "_"), None)
        if not function:
            raise SystemExit(f"paper: items.txt: there is no function '{call}'")
        value = function(Place(row, column, argument, ours))
        if isinstance(value, str):
            return value
        if math.isnan(value):
            return ""
        return f"{value:.10g}" if self.exact else f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"

    def theirs_at(self, row, column):
        """A cell as the document prints it; "" where there is none."""
        if self.theirs:
            return self.cell(self.theirs, row, column, False)
        return self.cells.paper.get((self.numbers, row, column), "")

    def ours_at(self, row, column):
        call = self.exact or self.ours
        return self.cell(call, row, column, True) if call else ""

    def table(self, ours):
        """All cells, a list for each row."""
        at = self.ours_at if ours else self.theirs_at
        return [[at(row, column) for column in self.columns] for row in self.rows]

    def what_ran(self, row):
        """What ran for our cells of a row: "step 09"; "" where items.txt does not say."""
        for one in self.ran.split(";") if self.ran else ():
            words, _, ran = one.strip().partition(" = ")
            if words == "*" or words in row:
                return ran
        return ""

    def commands(self):
        """What it is measured with: for each results file its name and the commands."""
        return [(part.split()[0], [command.strip() for command in part.split(maxsplit=1)[1].split(" -- ")])
                for part in self.measure.removeprefix("gpu ").split(";")] if self.measure else []

    def takes_gpu(self):
        return self.measure.startswith(("gpu ", "paper/measure "))


def unique(names):
    return list(dict.fromkeys(name for name in names if name))


def read_items(cells):
    """All items, in the order of the file."""
    path, items, named, fields, document, place = os.path.join(FOLDER, "items.txt"), [], {}, {}, "", ""
    shared = {}  # of each item
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^#.*\n", "", file.read(), flags=re.MULTILINE)
    for line in re.sub(r"\n +", " ", text + "\n\n").split("\n"):
        key, colon, value = line.partition(":")
        if line and not colon:
            raise SystemExit(f"paper: items.txt has a line without a key: '{line}'")
        value = value.lstrip(" ")
        if named:
            value = re.sub("|".join(map(re.escape, named)), lambda found: named[found[0]], value)
        if key.startswith("$"):
            named[key] = value
        elif key == "document":
            document = value
        elif key == "item":
            fields = {"item": value, "place": place, "answered": "exact", "agree": "yes"}
        elif key == "like":
            fields |= shared[value]
        elif key in NEEDED + OWN + SHARED:
            fields[key] = value
        elif line:
            raise SystemExit(f"paper: items.txt has no key '{key}'")
        if line or "item" not in fields:
            continue
        if not all(fields.get(name) for name in NEEDED):  # the item's end
            raise SystemExit(f"paper: items.txt: place, shows or see is missing for '{fields['item']}'")
        items.append(Item(fields, document, cells))
        place, shared[fields["item"]] = fields["place"], {name: fields[name] for name in SHARED if name in fields}
        fields = {}
    return items
