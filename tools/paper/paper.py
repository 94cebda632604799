#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every figure and table of the four documents, and how this repository answers it: `./ladder paper` runs it."""
import argparse
import os
import shutil
import subprocess
import sys

from cells import Cells, leading_number
from commands import gone
from items import read_items

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

RIGHT, WRONG, USAGE, RESOURCE = 0, 1, 2, 3
HELP = """usage: ./ladder paper [ITEM [--measure]]

  without ITEM   lists every figure and table of the four documents, and how we answer each
  ITEM           shows one: the document's numbers and ours, a plot, and what to look at
                 (24 is Figure 24 of Li et al. (2011); the list has the others)
  --measure      measures its numbers again on this computer, into results/paper
  --page FOLDER  writes all items as a page with plots: FOLDER/figures.md, FOLDER/figures
"""


# ---- One item ----

def old(item, commands, mark=""):
    """What to add to commands that the programs no longer understand; "" where they do."""
    words = gone("\n".join(commands))
    if not words:
        return ""
    today = f"; today: {mark}{item.today}{mark}" if item.today else ""
    return f" (an earlier version's: {' and '.join(mark + word + mark for word in words)} {'is' if len(words) == 1 else 'are'} gone{today})"


def print_commands(item, results):
    """The commands, one line per results file, or the check of an item that needs none. The first command represents
    all."""
    for name in item.files:
        commands = results.commands(name)
        if commands:
            more = f" and {len(commands) - 1} more" if len(commands) > 1 else ""
            print(f"  {name.partition(':')[0]}.jsonl: {results.conditions(name)}\n    {commands[0]}{more}"
                  f"{old(item, commands)}")
    if not item.files and item.measure:
        commands = item.commands()[0][1]
        print(f"  checked by {commands[0]}{' and more' if len(commands) > 1 else ''}")


def print_table(item):
    """Returns how many cells are not the document's, where they should be."""
    theirs, ours = item.table(False), item.table(True)
    width = max([10] + [len(cell) for row in theirs + [item.columns] for cell in row])

    def line(name, who, cells):
        print(f"{name:<30} {who:<9}" + "".join(f" {cell or '-':<{width}}" for cell in cells))

    print()
    line("", "", item.columns)
    for row, printed, measured in zip(item.rows, theirs, ours):
        line(row, "document", printed)
        if any(measured):
            ran = item.what_ran(row)
            line(f"  ({ran})" if ran else "", "ours", measured)
    pairs = [pair for rows in zip(theirs, ours) for pair in zip(*rows)]
    if item.exact:
        different = sum(a != b for a, b in pairs)
        print(f"\n{len(pairs) - different} of {len(pairs)} cells are the document's")
        return different
    if item.agree != "yes":
        return 0
    measured = [(leading_number(a), leading_number(b)) for a, b in pairs]
    far = sum(a != 0 and b != 0 and abs(b - a) > abs(a) / 10 for a, b in measured)
    if far:
        print(f"\n{far} cells are further than a tenth from the document's")
    return far


def print_code(code):
    """A file's region, or only its name when it has none."""
    file, _, region = code.partition(" [")
    if not region:
        print(f"\nSee {file}")
        return
    print(f"\nThe code, from {file}:")
    inside = False
    with open(os.path.join(ROOT, file), encoding="utf-8") as lines:
        for line in lines:
            if line.strip() == f"/// [{region}":
                inside = not inside
            elif inside:
                print(f"    {line}", end="")


def print_item(item, results):
    """Returns how many cells are not the document's, where the item is exact or agrees."""
    print(f"{item.document}, {item.title} ({item.place}): {item.shows}\nAnswered: {item.answered}\nAgrees: {item.agree}")
    print_commands(item, results)
    different = print_table(item) if item.rows else 0
    print(f"\nWhat to see: {item.see}")
    if item.code:
        print_code(item.code)
    return different


# ---- All items ----

def by_document(items):
    """A document and its items, one after the other."""
    return [(document, [item for item in items if item.document == document])
            for document in dict.fromkeys(item.document for item in items)]


def print_list(items):
    print("\n\n".join("\n".join([document] + [f"  {i.id:<20} {i.answered:<20} {i.title:<24} {i.shows}" for i in its])
                      for document, its in by_document(items)))


def page_row(item, results):
    """An item's row in the page: of each table the last cell that both have."""
    def escaped(text):
        return text.replace("|", "\\|")

    name = item.files[0] if item.files else ""
    commands = results.commands(name) if name else []

    def linked(text):
        return f"[{text}](results/{results.path(name)})" if commands else text

    both = [(row, column) for row in item.rows for column in item.columns
            if item.theirs_at(row, column) and item.ours_at(row, column)]
    if both:
        row, column = both[-1]
        ran = item.what_ran(row)
        numbers = f"{row}, {column}: {escaped(item.theirs_at(row, column))} | " \
                  f"{linked(item.ours_at(row, column))}{', ' if ran else ''}{ran}"
    else:
        numbers = f"– | {linked('rows' if item.files else '–')}"
    if commands:
        command = (f"`{commands[0]}`, …" if len(commands) > 1 else f"`{commands[0]}`") + old(item, commands, "`")
    elif item.measure:
        command = f"`{item.commands()[0][1][0]}`"
    else:
        file = item.code.split()[0] if item.code else ""
        command = f"[{os.path.basename(file)}](../{file})" if file else "–"
    return f"| `{item.id}` | {item.title}: {escaped(item.shows)} | {numbers} | *{item.agree}.* {escaped(item.see)} | {command} |"


def page(items, results):
    """All items as Markdown, whose plots are figures/ID.svg next to it."""
    figures = sum(item.title.startswith("Figure ") for item in items)
    tables = sum(item.title.startswith(("Table ", "the table ")) for item in items)
    yes, partly, no, drawings = (sum(item.agree == answer for item in items)
                                 for answer in ("yes", "in part", "no", "no numbers"))
    text = f"""# Every figure and table

What the four documents show, and how this repository answers it. Each table is represented by one number, the last that both \
have. `./ladder paper 24` shows all of Figure 24, what ran, and its plot. `./ladder paper 24 --measure` makes its numbers again \
on your computer. This page is made by the same program (`./ladder paper --page docs`).

These are all {figures} figures and {tables} tables of the documents, and {len(items) - figures - tables} of their statements \
that numbers can test. Of the {len(items)}, {yes} agree with their document, {partly} agree in part and {no} do not; {drawings} \
are drawings without numbers.
"""
    for document, its in by_document(items):
        text += f"\n## {document}\n\n| item | what | the document's number | ours | agrees, and why | program and command |\n" \
                "| --- | --- | --- | --- | --- | --- |\n"
        text += "".join(page_row(item, results) + "\n" for item in its)
    text += "\n## Plots that teach something\n\nThe document's numbers are dashed, ours solid.\n"
    for item in items:
        if item.picture:
            text += f"\n![{item.document}, {item.title}: {item.shows}](figures/{item.id}.svg)\n\n{item.see}\n"
    return text


def draw(item, results, path):
    """Draws an item's plot. Returns None, or why there is none."""
    sys.path.append(f"{ROOT}/tools/draw/plots")
    import documents  # not above: Matplotlib takes a second to start
    return documents.draw(item, results, path)


def make_page(items, results, folder):
    os.makedirs(f"{folder}/figures", exist_ok=True)
    with open(f"{folder}/figures.md", "w", encoding="utf-8") as to:
        to.write(page(items, results))
    for item in items:
        why = draw(item, results, f"{folder}/figures/{item.id}.svg") if item.picture else None
        if why:
            print(f"paper: {item.id}: no plot: {why}", file=sys.stderr)
            return RESOURCE
    return RIGHT


# ---- Measuring again ----

def print_counted(results, name):
    """What was counted, next to the model: a line for each result. Returns whether both are equal."""
    lines = results.lines(name)
    equal = bool(lines)
    for row in lines[1:]:
        if not all(key in row for key in ("step", "variant", "n")):
            continue  # without n: an order, counted without a product
        counted, model, right = row.get("transactions"), row.get("model_transactions"), row.get("passed") is True
        levels = row.get("levels")
        print(f"{row['step']} {row['variant']}, n = {row['n']}, levels = {'nan' if levels is None else levels}: "
              f"{'right' if right else 'WRONG'}", end="")
        same = counted is None or model is None or (counted, row.get("volume_bytes")) == (model, row.get("model_volume_bytes"))
        if counted is not None:
            verdict = "" if model is None else ", as the model says" if same else ", which the model does NOT say"
            print(f"; counted {counted:.0f} transactions, {row['volume_bytes']:.0f} bytes{verdict}", end="")
        print()
        equal = equal and right and same
    return equal


def status_of(words, **environment):
    """The exit status of a program, whose output comes after ours."""
    sys.stdout.flush()
    try:
        return subprocess.run(words, env={**os.environ, **environment}, check=False).returncode
    except OSError as error:
        print(f"{words[0]}: {error.strerror}", file=sys.stderr)
        return RESOURCE


def silent(words):
    return subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


def measure_again(item, results, build):
    """Builds and runs an item's programs, whose rows go into the folder of `results`, and prints what an exact item's programs
    counted. Returns the exit status: 1 when a result is wrong, 3 when there is no GPU for it."""
    if not item.measure:
        print(f"{item.id}: there is nothing to measure")
        return RIGHT
    on_gpu = item.takes_gpu()
    if not on_gpu or shutil.which("nvidia-smi") and silent(["nvidia-smi", "-L"]):
        programs = ["gpu-programs"] if on_gpu else \
            [command.split()[0] for _, commands in item.commands() for command in commands]
        status = status_of([f"{ROOT}/tools/scripts/build", build] + programs)
        if status:
            return status
    gpu8 = os.path.join(os.environ.get("BIN", "build/bin"), "10-gpu8")
    if on_gpu and not (os.access(gpu8, os.X_OK) and silent([gpu8, "--n", "1", "--quiet"])):
        print(f"{item.title} is measured on an NVIDIA GPU, and none can be used here. `./ladder paper {item.id}` shows the kept "
              "results.", file=sys.stderr)
        return RESOURCE
    if item.measure.startswith("paper/measure "):
        return status_of([f"{ROOT}/tools/paper/measure", "--out", results.folder], RESULTS=results.folder,
                         PARTS=item.measure.removeprefix("paper/measure "))
    status = RIGHT
    for part in item.measure.removeprefix("gpu ").split(";"):
        words = part.split()
        status = status_of([f"{ROOT}/tools/measure/programs"] + words, RESULTS=results.folder) or status
        if item.answered == "exact" and not print_counted(results, words[0]):
            status = WRONG
    return status


# ---- The command ----

class Parser(argparse.ArgumentParser):
    def error(self, message):
        print(f"paper: {message}\n{HELP}", end="", file=sys.stderr)
        sys.exit(USAGE)


def run(arguments):
    parser = Parser(add_help=False)
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("item", nargs="?")
    parser.add_argument("--page")
    parser.add_argument("--build", default="build", help="the build folder")
    parser.add_argument("--results", help="the folder of our numbers")
    parser.add_argument("--out", help="the folder for plots")
    asked = parser.parse_args(arguments)
    if asked.help:
        print(HELP, end="")
        return RIGHT
    if asked.measure and not asked.item:
        parser.error("--measure wants an ITEM")
    folder = asked.results or os.path.join(ROOT, "results/paper" if asked.measure else "docs/results")
    cells = Cells(folder, os.path.join(asked.build, "bin", "paper-model"))
    items = read_items(cells)
    if asked.page:
        return make_page(items, cells.results, asked.page)
    if not asked.item:
        print_list(items)
        return RIGHT
    item = next((item for item in items if item.id == asked.item), None)
    if not item:
        print(f"paper: there is no '{asked.item}'. Figures of Li et al. (2011) go by their number, 1 to 44; `./ladder paper` lists "
              "the others.", file=sys.stderr)
        return USAGE
    if asked.measure:
        os.makedirs(folder, exist_ok=True)
        status = measure_again(item, cells.results, asked.build)
        if status:
            return status
    status = WRONG if print_item(item, cells.results) else RIGHT
    if item.x:
        out = asked.out or f"{asked.build}/paper"
        os.makedirs(out, exist_ok=True)
        why = draw(item, cells.results, f"{out}/{item.id}.svg")
        print(f"\nNo plot: {why}" if why else f"\nThe plot: {out}/{item.id}.svg")
    return status


def main():
    try:
        status = run(sys.argv[1:])
        sys.stdout.flush()
    except OSError as error:
        if error.filename:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the interpreter flushes once more at its end
        print("paper: standard output cannot be written", file=sys.stderr)
        status = RESOURCE
    return status


if __name__ == "__main__":
    sys.exit(main())
