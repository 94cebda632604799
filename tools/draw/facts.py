#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""facts.py [--write] PICTURE...: whether the steps still do what these pictures show, which are drawn by hand.

facts.txt has for each picture the commands that say it, and what they said when the picture was last looked at. --write puts
in what they say today: first look at the picture, and change it.

A fact is kept without what may change while the picture stays right: addresses of memory, lines of source, and the order of
requests to memory. Of many facts the first are kept, and a check sum of all."""
import collections
import hashlib
import itertools
import json
import os
import subprocess
import sys

import svg

FACTS, SHOWN = os.path.join(svg.ROOT, "tools", "draw", "facts.txt"), 6
OF_CALLS = "transposes", "m", "n", "k", "ldx", "grid"


def place(address, arrays):
    """An address as "B+96", bytes from the beginning of an array."""
    at, name = max(((start, name) for start, name in zip(arrays, "ABCW") if start <= address), default=(0, "none"))
    return f"{name}+{address - at}" if at else name


def fact(row, arrays):
    """What a row of a program's log says in one line; "" if it is about nothing that a picture shows."""
    if "lanes" in row:
        lanes = " ".join(f"{lane}:{at}" for lane, _, at in row["lanes"])
        which = row.get("array") or f"allocation {row['lanes'][0][1]}"
        return f"launch {row['launch']}, {row['kernel']}: {row['space']} {row['op']} {which}, {row['size']} bytes each: {lanes}"
    if "what" in row:
        return json.dumps({name: row[name] for name in ("what", "barrier", "by", "number", "arrivals", "bytes")})
    if row.get("kernel") or "call" in row:
        ends = [f"from {place(row[end], arrays)}" for end in ("x", "y") if end in row]
        fields = OF_CALLS + ("stream", "event") if "call" in row else OF_CALLS
        return " ".join([row.get("kernel") or row["call"]] + [f"{name} {row[name]}" for name in fields if name in row] + ends)
    if row.get("changed"):
        return f"C holds {row['holds'][8:12]}"
    if "texture" in row:
        return f"a texture begins at {row['texture']}"
    if "exchange" in row:
        return f"{row['variant']}, exchange {row['exchange']}: rank {row['from']} sends rank {row['to']} {row['words']} words"
    return f"{row['levels']} levels: workspace {row['workspace_bytes']}" if "workspace_bytes" in row else ""


def facts_of(command):
    """The facts of a command: each with its number, or in the order of the run where that is what a picture shows."""
    ran = subprocess.run(command.split(), cwd=svg.ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False, encoding="utf-8")
    if ran.returncode:
        svg.fail(f"{command} ended with status {ran.returncode}")
    if command.startswith("schedule.py"):
        return ran.stdout.splitlines()
    rows = svg.rows_of(ran.stdout.splitlines())
    if any("what" in row for row in rows):  # of a ring of stages only what happens at barriers is shown
        rows = [row for row in rows if "what" in row]
    said = [fact(row, rows[0].get("arrays", ())) for row in rows]
    if any("what" in row or row.get("kernel") == "" or row.get("call") == "wait" for row in rows):
        said = [line for line, _ in itertools.groupby(said) if line]
    else:
        said = sorted(f"{count} x {line}" for line, count in collections.Counter(said).items() if line)
    if len(said) > SHOWN:
        digest = hashlib.sha256("\n".join(said).encode()).hexdigest()[:16]
        said = [line[:160] for line in said[:SHOWN]] + [f"{len(said)} facts in all, {digest}"]
    return said


def main():
    write, wanted = "--write" in sys.argv, [word for word in sys.argv[1:] if word != "--write"]
    with open(FACTS, encoding="utf-8") as file:
        head, *parts = file.read().split("\n== ")
    stale, text = [], head
    for part in parts:
        pictures, *lines = part.rstrip("\n").split("\n")
        now, asked = lines, [picture for picture in pictures.split() if picture in wanted]
        if asked:
            now = [line for command in lines if command.startswith("$ ") for line in [command] + facts_of(command[2:])]
            wanted = [picture for picture in wanted if picture not in asked]
        differing = [line for line in now if line not in lines] or [line for line in lines if line not in now]
        if differing and not write:
            stale.append(f"{asked[0]}: the run that it shows has changed. Look at it, change it, then tools/draw/facts.py --write it:\n"
                         f"{differing[0]}")
        text += "\n== " + "\n".join([pictures] + now) + "\n"
    if write:
        with open(FACTS, "w", encoding="utf-8") as file:
            file.write(text)
    print("\n".join(stale + [f"facts.py: facts.txt has no {picture}" for picture in wanted]), end="\n" if stale or wanted else "")
    return 2 if wanted else 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
