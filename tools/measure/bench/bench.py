#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what this machine can do, for ./ladder bench:

- bench.py [--source SOURCE] [--build BUILD] [--out FOLDER] [--revision NAME] builds every step's programs in BUILD/bin and times
  them at three sizes, into FOLDER/MACHINE.jsonl (SOURCE/results/bench). Results of this revision (git's name of SOURCE) that
  are there already are kept.
- bench.py --compare A B shows two results files, or revisions of one, in one table (compare.py).
- bench.py --index FOLDER says what is measured where.

A results file belongs to one machine and holds JSON lines. A measurement is one line of conditions,
  {"conditions":{"command":[...],"revision":"...","device":"...","date":"...","seconds":12.5}}
and then the lines that the program printed. It is appended when the program has ended, so a file has only complete
measurements, and a later call appends to them.

Exit status: 0, 1 where a result was wrong, 2 bad usage, 3 where nothing can be measured or written."""
import argparse
import datetime
import json
import math
import os
import platform
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

import compare

WRONG, USAGE, RESOURCE = 1, 2, 3
REPETITIONS = 5  # two sets of five do not overlap by chance in 1 of 126 cases


def say(*words, **more):
    print(*words, file=sys.stderr, flush=True, **more)


# ---- Other programs ----

class Runner:
    """Runs programs, one at a time. SIGINT and SIGTERM stop the one that runs."""

    def __init__(self):
        self.child = self.stopped = None
        for number in signal.SIGINT, signal.SIGTERM:
            signal.signal(number, self.stop)

    def stop(self, number, _):
        self.stopped = number
        if self.child:
            self.child.terminate()

    def call(self, words, collect=True):
        """Its exit status, 128 + N where signal N ended it, and what it printed; its messages are dropped. With collect=False
        both are shown instead."""
        output = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL} if collect else {}
        try:
            self.child = subprocess.Popen(words, stdin=subprocess.DEVNULL, text=True, **output)
        except OSError:
            return 127, ""
        printed, _ = self.child.communicate()
        status, self.child = self.child.returncode, None
        return status if status >= 0 else 128 - status, printed


# ---- The measurements ----

@dataclass
class Item:
    """One call of one program."""
    program: str
    n: int
    command: str  # the program and its options
    seconds: float = math.nan  # that it took; NaN: not yet
    kept: bool = False  # measured by an earlier call


def read_steps(build, runner):
    """Half the size of the step's tour, the same and twice it, in each precision that has a program here."""
    items = []
    with open(os.path.join(build, "steps.tsv"), encoding="utf-8") as steps:
        for name, _, precisions, options, *_ in (line.rstrip("\n").split("\t") for line in steps):
            words = options.split()
            pairs = list(zip(words[::2], words[1::2]))
            n = int(dict(pairs).get("--n", 1024))
            kept = "".join(f" {name} {value}" for name, value in pairs if name not in ("--n", "--reps", "--warmup"))
            for i, precision in enumerate(precisions.split()):
                program = f"{name}.{precision}" if i else name
                path = os.path.join(build, "bin", program)
                if precision == "i32" or not os.access(path, os.X_OK) or \
                        runner.call([path, "--n", "1", "--quiet"])[0] == RESOURCE:  # there is no GPU here
                    continue
                items += [Item(program, size, f"{program} --n {size}{kept} --reps {REPETITIONS} --json")
                          for size in (n // 2, n // 2 * 2, n // 2 * 4)]
    return items


def machine_name(runner):
    """"AMD EPYC, NVIDIA H100" as amd-epyc-nvidia-h100."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        processor = re.search(r"^model name[^:]*: (.*)", file.read(), re.M)
    status, gpu = runner.call(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"])
    words = [processor[1] if processor else f"{platform.machine()} processor", gpu.split("\n")[0] if status == 0 else ""]
    return re.sub("[^a-z0-9]+", "-", " ".join(words).lower()).strip("-")


def read_kept(path, revision, items):
    """Marks what the file has of this revision as measured. The seconds in it estimate how long the rest will take."""
    for conditions, _ in compare.lines_of(path):
        for item in items:
            if item.command == conditions.get("call"):
                item.seconds = conditions["seconds"]
                item.kept = item.kept or conditions.get("revision") == revision


def expected(item, items):
    """Seconds that an item takes: as before, or as the same program at another size, by n^3, or as the others."""
    known = [other for other in items if not math.isnan(other.seconds)]
    if item in known:
        return item.seconds
    alike = [other.seconds * (item.n / other.n) ** 3 for other in known if other.program == item.program]
    return alike[0] if alike else sum(other.seconds for other in known) / len(known) if known else math.nan


def time_left(items, all_items):
    seconds = sum(expected(item, all_items) for item in items if not item.kept)
    return "unknown" if math.isnan(seconds) else f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def keep(path, item, revision, printed):
    """Appends a measurement in one piece."""
    device = re.search(r'"device":"([^"]*)"', printed)
    conditions = {"device": device[1] if device else "", "driver": None, "toolkit": None, "date": datetime.date.today().isoformat(),
                  "command": [item.command], "call": item.command, "revision": revision, "seconds": round(item.seconds, 3)}
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps({"conditions": conditions}, separators=(",", ":")) + "\n" + printed)


def measure(build, folder, revision, runner):
    try:
        items = read_steps(build, runner)
    except OSError:
        say(f"ladder: cannot read {build}/steps.tsv; ./ladder setup makes it")
        return RESOURCE
    path = os.path.join(folder, machine_name(runner) + ".jsonl")
    if not items:
        say("ladder: nothing here can be timed: no step's program was built")
        return RESOURCE
    read_kept(path, revision, items)
    say(f"{len(items)} measurements on this machine; {sum(item.kept for item in items)} of them are there already for revision "
        f"{revision}")
    worst, live = 0, sys.stderr.isatty()
    for i, item in enumerate(items):
        if item.kept:
            continue
        what = f"[{i + 1}/{len(items)}] {item.command}"
        say(f"{what} ... (left: {time_left(items[i:], items)})", end="" if live else "\n")
        began = time.monotonic()
        program, *options = item.command.split()
        status, printed = runner.call([os.path.join(build, "bin", program)] + options)
        item.seconds = time.monotonic() - began
        if runner.stopped:
            say(f"\nStopped. The same command goes on here: {path}")
            return 128 + runner.stopped
        if live:
            say("\r\033[K", end="")
        if status == RESOURCE:
            say(f"{what}: too large for this machine")
        elif status != 0:
            say(f"{what}: WRONG (exit status {status}); not kept")
            worst = WRONG
        else:
            try:
                keep(path, item, revision, printed)
            except OSError as error:
                say(f"ladder: cannot write {path}: {error.strerror}")
                return RESOURCE
            say(f"{what} ({item.seconds:.1f} s)")
    print(f"Results: {path}")
    return worst


# ---- The command ----

class Parser(argparse.ArgumentParser):
    def error(self, message):
        wants = re.match("argument ([^:]*): expected", message)
        say(f"ladder: bench: {wants[1]} needs a value; see ./ladder --help" if wants else f"ladder: {message}; see ./ladder --help")
        sys.exit(USAGE)


def main():
    parser = Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("--source", default=".")
    parser.add_argument("--build", default="build")
    parser.add_argument("--out")
    parser.add_argument("--revision")
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--index")
    parser.add_argument("words", nargs="*")
    asked, unknown = parser.parse_known_args()
    if unknown:
        parser.error(f"bench: no option '{unknown[0]}'")
    if asked.compare and len(asked.words) != 2:
        parser.error("bench --compare wants two results: files, folders or FILE@REVISION")
    if asked.words and not asked.compare:
        parser.error(f"bench: '{asked.words[0]}' is not understood")
    if asked.compare:
        return compare.print_comparison(*asked.words)
    if asked.index:
        return compare.print_index(asked.index)
    folder = asked.out or os.path.join(asked.source, "results/bench")
    try:  # before anything is built
        os.makedirs(folder, exist_ok=True)
    except OSError:
        pass
    if not os.access(folder, os.W_OK | os.X_OK):
        say(f"ladder: --out: cannot write results into the folder '{folder}'")
        return RESOURCE
    runner = Runner()
    status, _ = runner.call([os.path.join(asked.source, "tools/scripts/build"), asked.build, "timed-programs"], collect=False)
    if status:
        return 128 + runner.stopped if runner.stopped else status
    status, named = runner.call(["git", "-C", asked.source, "describe", "--always", "--dirty"])
    return measure(asked.build, folder, asked.revision or (named.strip() if status == 0 else "unknown"), runner)


if __name__ == "__main__":
    sys.exit(main())
