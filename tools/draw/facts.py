#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""facts.py [--build BUILD] [--write] PICTURE...|--all: whether the steps still do what these pictures show, which are edited by hand.
facts.py --list: the pictures, each with the programs that it needs.

facts.txt has for each picture the commands that say it, and what they said when the picture was last looked at. --write puts
in what they say today: first look at the picture, and change it. Numbers of lines in a picture, "gpu8.cuh:31", it changes itself.

A fact is kept without what may change while the picture stays right, such as addresses of memory and the order of requests. Of
many facts the first are kept, and a check sum of all. Exit status: 1 where a picture is stale."""
import argparse
import collections
import hashlib
import itertools
import os
import re
import sys

import logs

FACTS, SHOWN = os.path.join(logs.ROOT, "tools", "draw", "facts.txt"), 6
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
        return "" if row["what"] == "wait" else f"barrier {row['barrier']}: {row['what']} {row['number']}"
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


def request(row):
    """A request of a half-warp with what it costs, at its line."""
    lanes = " ".join(f"{lane}:{at}" for lane, _, at in row["lanes"])
    costs = f"{row['passes']} passes, {row['ideal']} would do" if "passes" in row else f"{row['transactions']} transactions {row['segments']}"
    return f"{os.path.basename(row['file'])}:{row['line']} {row['op']} {row.get('array') or 'WABCW'[min(row['lanes'][0][1], 4)]}: {costs}: {lanes}"


def facts_of(command):
    """The facts of a command: each with its number, or in the order of the run where that is what a picture shows."""
    lines = logs.said(command.split())
    if command.startswith("schedule.py"):
        return lines
    rows = logs.rows_of(lines)
    if any("what" in row for row in rows):  # of a ring of stages only what happens at barriers is shown
        rows = [row for row in rows if "what" in row]
    elif "--addresses" in command:
        return [request(row) for row in rows if row.get("occurrence") == 0]
    said = [fact(row, rows[0].get("arrays", ())) for row in rows]
    if any(row.get("kernel") == "" or row.get("call") == "wait" for row in rows):
        said = [line for line, _ in itertools.groupby(said) if line]
    else:
        said = sorted(f"{count} x {line}" for line, count in collections.Counter(said).items() if line)
    if len(said) > SHOWN:
        digest = hashlib.sha256("\n".join(said).encode()).hexdigest()[:16]
        said = [line[:160] for line in said[:SHOWN]] + [f"{len(said)} facts in all, {digest}"]
    return said


class Entry:
    """Pictures that show the same, the commands, and the lines of both and of the facts."""

    def __init__(self, text):
        head, *self.lines = text.rstrip("\n").split("\n")
        self.pictures = head.split()
        self.commands = [line[2:] for line in self.lines if line.startswith("$ ")]

    def programs(self):
        words = [command.split() for command in self.commands]
        return [f"draw-{word[1]}" if word[0] == "schedule.py" else word[0] for word in words if word[0] != "cat"]

    def lines_today(self):
        return [line for command in self.commands for line in [f"$ {command}"] + facts_of(command)]

    def renumber(self, today):
        """Changes numbers of source lines in the pictures."""
        places = [(re.findall(r"^\S+:\d+", old), re.findall(r"^\S+:\d+", new)) for old, new in zip(self.lines, today)]
        changed = {old[0]: new[0] for old, new in places if old and new and old != new}
        for picture in self.pictures if changed else ():
            path = os.path.join(logs.ROOT, picture)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            text = re.sub(r"[\w.-]+:\d+", lambda found: changed.get(found[0], found[0]), text)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)


def main():
    parser = argparse.ArgumentParser(prog="facts.py", usage=__doc__)
    parser.add_argument("--build", default=os.path.join(logs.ROOT, "build"))
    for option in "--write", "--all", "--list":
        parser.add_argument(option, action="store_true")
    parser.add_argument("pictures", nargs="*")
    asked = parser.parse_args()
    os.environ["PATH"] = os.pathsep.join([os.path.join(os.path.abspath(asked.build), "bin"), os.path.dirname(FACTS), os.environ["PATH"]])
    with open(FACTS, encoding="utf-8") as file:
        head, *parts = file.read().split("\n== ")
    entries, stale = list(map(Entry, parts)), 0
    known = [picture for entry in entries for picture in entry.pictures]
    unknown = [picture for picture in asked.pictures if picture not in known]
    if unknown or not (asked.pictures or asked.all or asked.list):
        parser.error(f"facts.txt has no {unknown[0]}" if unknown else "which picture?")
    for entry in entries:
        if asked.list:
            print("\n".join(f"{picture}~{' '.join(entry.programs()) or '-'}" for picture in entry.pictures))
        if asked.list or not (asked.all or set(asked.pictures) & set(entry.pictures)):
            continue
        today = entry.lines_today()
        differing = [line for line in today if line not in entry.lines] or [line for line in entry.lines if line not in today]
        if asked.write:
            entry.renumber(today)
            entry.lines = today
        elif differing:
            stale += 1
            print(f"{' '.join(entry.pictures)}: the run that it shows has changed. Look at it, change it, then call "
                  f"tools/draw/facts.py --write {entry.pictures[0]}:\n{differing[0]}")
    if asked.write:
        with open(FACTS, "w", encoding="utf-8") as file:
            file.write(head + "".join("\n== " + "\n".join([" ".join(entry.pictures)] + entry.lines) + "\n" for entry in entries))
    return stale > 0


if __name__ == "__main__":
    sys.exit(main())
