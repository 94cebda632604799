# SPDX-License-Identifier: MIT
"""What programs on the PATH say: lines of JSON."""
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def fail(what):
    sys.exit(f"{os.path.basename(sys.argv[0])}: {what}")


def said(words):
    """The output of a program, run in the root of the repository."""
    try:
        ran = subprocess.run(words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False, encoding="utf-8")
    except FileNotFoundError:
        return fail(f"{words[0]} is not built: cmake --build build --target {words[0]}")
    return ran.stdout.splitlines() if ran.returncode == 0 else fail(f"{words[0]} ended with status {ran.returncode}")


def rows_of(lines):
    rows = [json.loads(row) for row in lines if row.startswith("{")]
    return rows if rows else fail("the program logged nothing")


def run(program, *arguments):
    return rows_of(said([program, *map(str, arguments)]))
