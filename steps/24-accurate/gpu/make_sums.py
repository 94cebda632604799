#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints dps_sums.cuh: the sums of the table in schemes.c as straight code. A sum of two terms that several sums contain,
up to a factor, is made once: the most frequent pair first, until no pair is left that occurs twice."""
import pathlib
import re

SOURCE = pathlib.Path(__file__).parent.parent / "schemes/schemes.c"


def read_table():
    text = re.search(r"dps_products\[\] = \{(.*?)\n\};", SOURCE.read_text(), re.S)[1]
    numbers = [[float(x) for x in row.split(",")] for row in re.findall(r"\{([-\d., ]+)\}", text)]
    return numbers[0::3], numbers[1::3], numbers[2::3]


def make_pairs(sums):
    """Makes the most frequent pair a term, again and again. A sum has a coefficient for every term: first the inputs, then
    the pairs (first, second, ratio), which are first + ratio * second."""
    pairs = []
    while True:
        counts = {}
        for row in sums:
            nonzeros = [i for i, times in enumerate(row) if times]
            for at, x in enumerate(nonzeros):
                for y in nonzeros[at + 1:]:
                    pair = x, y, row[y] / row[x]
                    counts[pair] = counts.get(pair, 0) + 1
        best = max(counts, key=counts.get)  # the first of the most frequent ones
        if counts[best] < 2:
            return pairs
        pairs.append(best)
        x, y, ratio = best
        for row in sums:
            found = row[x] and row[y] == ratio * row[x]
            row.append(row[x] if found else 0)
            if found:
                row[x] = row[y] = 0


def written(row, inputs):
    """minus(plus(x[0], times(0.5, x[1])), x[2]): the terms in their order, but one with a positive coefficient first."""
    def term(i, times):
        name = f"x[{i}]" if i < inputs else f"t{i - inputs}"
        return name if times == 1 else f"times({times:g}, {name})"
    nonzeros = [i for i, times in enumerate(row) if times]
    first = next((i for i in nonzeros if row[i] > 0), nonzeros[0])
    text = term(first, row[first])
    for i in nonzeros:
        if i != first:
            text = f"{'plus' if row[i] > 0 else 'minus'}({text}, {term(i, abs(row[i]))})"
    return text


def print_function(name, comment, sums):
    inputs = len(sums[0])
    print(f"/** {comment} */\ntemplate <class vector>\n"
          f"static __device__ __forceinline__ void {name}(const vector *x, vector *y)\n{{")
    for number, (x, y, ratio) in enumerate(make_pairs(sums)):
        row = [0] * (inputs + number)
        row[x], row[y] = 1, ratio
        print(f"    const vector t{number} = {written(row, inputs)};")
    for number, row in enumerate(sums):
        print(f"    y[{number}] = {written(row, inputs)};")
    print("}\n")


left, right, results = read_table()
print("""/* SPDX-License-Identifier: MIT */
/** @file dps_sums.cuh
 * The sums of a level with the table of Dumas, Pernet and Sedoglavic, written by
 * make_sums.py.
 */
#ifndef STEPS_24_ACCURATE_GPU_DPS_SUMS_CUH
#define STEPS_24_ACCURATE_GPU_DPS_SUMS_CUH

// clang-format off
/// [sums]""")
print_function("dps_left", "The seven left factors from A's quadrants 11, 12, 21, 22.", left)
print_function("dps_right", "The seven right factors from B's.", right)
print_function("dps_results", "C's quadrants from the seven products.", [list(row) for row in zip(*results)])
print("/// [sums]\n// clang-format on\n\n#endif")
