#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare.py [--large] [--cheat] CUBLAS PROGRAM PRECISION [OPTION...]: a step's product compared with cuBLAS's, element by element.

CUBLAS is step 11's program, which without levels calls cublasSgemm or cublasDgemm once. It and PROGRAM multiply the matrices of
one seed at a square, an oblong and an odd size (--large: and at one above 1000), and write C into files. Two elements may differ
by the sum of the bounds that the checker has for the two products. OPTION... may name the variant; without, it is the first that
PROGRAM lists. --cheat: cuBLAS multiplies other matrices, so that there must be a difference. Exit status: 0 they agree, 1 they
do not, 3 a program failed, 77 no device."""
import array
import json
import os
import subprocess
import sys
import tempfile

SIZES = (96, 96, 96), (160, 48, 112), (61, 75, 87), (1030, 1000, 1025)


def run(program, *options):
    ran = subprocess.run([program, *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
    if ran.returncode:
        print(f"status {ran.returncode} of {program} {' '.join(options)}: {ran.stdout}", file=sys.stderr)
        sys.exit(3)
    return ran.stdout


def product(program, precision, size, seed, options):
    """The elements of C, the bound of their errors, and the levels."""
    m, n, k = map(str, size)
    elements = array.array("f" if precision == "f32" else "d")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "c.npy")
        line = json.loads(run(program, "--precision", precision, "--m", m, "--n", n, "--k", k, "--seed", seed, "--untimed", "--json",
                              *options, "--output", "file:" + path))
        with open(path, "rb") as file:
            file.readline()  # the head of a file of NumPy's: one line
            elements.frombytes(file.read())
    return elements, line["error_bound"], line["levels"]


def main():
    words, asked = sys.argv[1:], set()
    while words[0].startswith("--"):
        asked.add(words.pop(0))
    cublas, program, precision, *options = words
    by_cublas = ["--variant", "document", "--leaf", "cublas", "--levels", "0"] + (["--no-count"] if cublas.endswith(".sim") else [])
    if subprocess.run([cublas, "--n", "1", "--quiet"], stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 3:
        print("skipped: no device for cuBLAS")
        return 77
    if "--variant" not in options:
        options += ["--variant", run(program, "--list").split()[0]]
    wrong = 0
    for size in SIZES if "--large" in asked else SIZES[:3]:
        ours, bound, levels = product(program, precision, size, "3", options)
        theirs, other_bound, _ = product(cublas, precision, size, "4" if "--cheat" in asked else "3", by_cublas)
        differences, allowed = [abs(x - y) for x, y in zip(ours, theirs)], bound + other_bound
        differing = sum(not difference <= allowed for difference in differences)  # so NaN is wrong, too
        wrong += differing + (len(differences) != size[0] * size[1])
        print(f"{' x '.join(map(str, size))}, {levels} levels: {differing} of {len(differences)} elements differ from cuBLAS's; the "
              f"largest difference is {max(differences):.2g}, at most {max(differences) / allowed:.2g} of what is allowed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
