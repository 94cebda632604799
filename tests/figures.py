#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""figures.py BUILD: `./ladder paper` lists every figure and table of the four documents, each with one of four answers, and shows
each: exact ones equal to the document in every cell, measured ones with numbers of both. The lists below are the documents' own.
docs/figures.md and its plots are what the program makes of the kept results."""
import contextlib
import importlib.util
import io
import os
import re
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path += [f"{ROOT}/tools/paper", f"{ROOT}/tests/prose"]
import paper
import plots
from results import Results

LI = [str(number) for number in range(1, 45)]
FATAHALIAN = [f"fatahalian-{name}" for name in ("table-1", "table-2", "figure-1", "figure-2")]
STUDY = [f"study-{name}" for name in ("counts", "memory", "order", "winograd")]
MUSELLA = [f"musella-{name}" for name in ("table-1.2", "table-2.1", "table-5.0.1", "table-5.0.2", "figure-2.1", "figure-2.2",
                                          "figure-2.3", "figure-2.4", "figure-5.1", "figure-5.2")]
MORE = ["fatahalian-analysis", "texture-sgemm", "conclusion"]  # statements that numbers can test
EXACT = set("2 3 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23".split() + STUDY)
failures = []


def fails(condition, message):
    if condition:
        failures.append(message)


def shown(*arguments):
    """What the program prints, and its exit status."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        status = paper.run(["--build", sys.argv[1], *arguments])
    return out.getvalue(), status


def check_item(item, answer, out):
    text, status = shown("--out", out, item)
    fails(item in EXACT and answer != "exact", f"{item} is '{answer}', not exact")
    fails(status != 0, f"{item} ends with status {status}\n{text}")
    fails(not re.search("^What to see: .", text, re.M), f"{item} does not say what to see")
    fails(not re.search("^Agrees: (yes|in part|no|no numbers)$", text, re.M), f"{item} does not say whether it agrees")
    if answer == "a drawing":
        fails(not re.search("^See .*svg$|photograph", text, re.M), f"{item} has no drawing")
    elif item != "hardware":  # a command of a program that was run
        fails(not re.search("^ +(checked by )?[0-9][0-9]-[a-z0-9.-]+ ", text, re.M), f"{item} does not say what ran")
    if answer.startswith("measured"):
        fails(not re.search(" document  *.*[0-9]", text), f"{item} has no number of the document")
        fails(not re.search("^ .* ours +.*[0-9]", text, re.M), f"{item} has no number of ours")


def check_plot(kept, made):
    """The plot in the repository, where this is the Matplotlib that made it; but for a coordinate's last digit."""
    versions = [re.search("Matplotlib v[0-9.]+", open(path, encoding="utf-8").read()) for path in (kept, made)]
    if not versions[0] or versions[0][0] == versions[1][0]:
        differs = plots.difference(kept, made)
        fails(differs, f"{kept} is stale: ./ladder paper --page docs; it begins to differ here:\n{differs}")


def check_page(folder):
    if importlib.util.find_spec("matplotlib") is None:
        print("the page is not compared: python3-matplotlib is not installed")
        return
    _, status = shown("--page", folder)
    fails(status, f"--page ends with status {status}")
    made, kept = (open(f"{place}/figures.md", encoding="utf-8").read() for place in (folder, f"{ROOT}/docs"))
    differing = [line for line in made.splitlines() if line not in kept.splitlines()]
    fails(made != kept, "\n".join(["docs/figures.md is stale: ./ladder paper --page docs; it begins to differ here:"] + differing[:4]))
    fails("all 52 figures and 6 tables" not in made, "the page has not all 52 figures and 6 tables")
    for row in re.findall(r"^\| `.*", made, re.M):  # item, what, two numbers, "*in part.* Why", program and command
        cells = row.split(" | ")
        answered = re.match("[*][a-z ]+[.][*] .", cells[4]) and re.search("[a-z]", cells[5])
        fails(not answered and "`6`" not in cells[0], f"a row without an answer, a reason or a command: {row}")  # 6: a photograph
    for plot in os.listdir(f"{folder}/figures"):
        check_plot(f"{ROOT}/docs/figures/{plot}", f"{folder}/figures/{plot}")


def check_rows():
    """The rows of one program of a file, and the file of the machine that was measured last."""
    results = Results(f"{ROOT}/docs/results")
    head, *rows = results.lines("06-17-gpu:07-gpu-streams")
    words = {row["step"] for row in rows} | {command.split()[0] for command in head["conditions"]["command"]}
    fails(words != {"07-gpu-streams"}, f"06-17-gpu:07-gpu-streams has rows or commands of {words}")
    fails(results.path("11-copies") != "h200/11-copies.jsonl", f"11-copies is {results.path('11-copies')}")


def main():
    check_rows()
    answers = dict(re.findall("^  ([^ ]+) +(exact|measured here|measured on a GPU|a drawing)  ", shown()[0], re.M))
    with tempfile.TemporaryDirectory() as scratch:
        for item in LI + FATAHALIAN + STUDY + MUSELLA + MORE:
            if item in answers:
                check_item(item, answers[item], scratch)
            else:
                fails(True, f"{item} is not listed with an answer")
        check_page(f"{scratch}/page")
    for failure in failures:
        print("FAILED:", failure)
    if not failures:
        print(f"all {len(LI + FATAHALIAN + STUDY + MUSELLA)} are answered")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
