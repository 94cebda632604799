#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pages.py KIND ...: a page shows, as a text block, what a program prints today.

  shows PAGE FIRST LAST PROGRAM OPTION...   the lines from the one that begins with FIRST to the one that begins with LAST
  primer SIM NAME FROM TO    docs/cuda-primer.md: what the simulated GPU says of a program of docs/primer with the mistake that its
                             exercise asks for: FROM becomes TO
  launches SIM               docs/launch-errors.md: the answers to each launch of docs/launch-errors.cu, and two of the messages. An
                             H100 gave the same answers, except for those that the page says differ."""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STORED = "docs/results/h100/launch-errors.txt"
NEWER = "threads", "nothing", "grid", "function"  # CUDA 13.0 has other numbers for these than its documentation


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def run(*command, cwd=ROOT):
    return subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False)


def must_show(page, text, same=str):
    if same(f"```text\n{text}```") not in same(read(page)):
        sys.exit(f"{page} should show, as a text block:\n{text}")


def shows(page, first, last, *command):
    ran = run(*command)
    part = re.search(rf"^{re.escape(first)}.*?^{re.escape(last)}.*?\n", ran.stdout + ran.stderr, re.M | re.S)
    if not part:
        sys.exit(f"the program does not print '{first}' and then '{last}':\n{ran.stdout}{ran.stderr}")
    must_show(page, part[0])


def primer(sim, name, old, new):
    right = read(f"docs/primer/{name}")
    if old not in right:
        sys.exit(f"{name} has no '{old}' to change")
    with tempfile.TemporaryDirectory() as scratch:
        os.makedirs(f"{scratch}/docs/primer")
        with open(f"{scratch}/docs/primer/{name}", "w", encoding="utf-8") as file:
            file.write(right.replace(old, new))  # on its line, so that line numbers stay
        ran = run(sim, f"docs/primer/{name}", cwd=scratch)
    if ran.returncode != 1:
        sys.exit(f"the status is {ran.returncode}, not 1:\n{ran.stderr}")
    # Blocks run at the same time: which of them meet in a race, and where, is chance.
    must_show("docs/cuda-primer.md", re.sub("    Seen [0-9]+ times.\n", "", ran.stderr.replace(f"{scratch}/", "")), lambda text: re.sub(
        r"number\[[0-9]\]", "number[]", re.sub(r"([Bb]lock|[Tt]hread) \([0-9],0,0\)", "one of them", text)))


def launches(sim):
    program, page, answers = "docs/launch-errors.cu", "docs/launch-errors.md", ""
    for name in re.findall("[a-z]+", run(sim, program).stdout):
        ran = run(sim, "--registers", "126", program, name)  # what nvcc 13.0 gives its largest kernel for an H100
        if (ran.stdout in read(STORED)) == (name in NEWER):
            sys.exit(f"{name}: {'the same as' if name in NEWER else 'other than'} on an H100 ({STORED}): {ran.stdout}{ran.stderr}")
        answers += ran.stdout
        if name in ("threads", "address"):
            must_show(page, ran.stderr)
    must_show(page, answers)


if __name__ == "__main__":
    {"shows": shows, "primer": primer, "launches": launches}[sys.argv[1]](*sys.argv[2:])
