#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Grades products in double. It decides which kind of multiplication a program does, and whether its error is as small as that of the
triple loop, element by element. ./ladder grade builds the programs and calls it:

  grade.py BIN [--json] [cpu|gpu]           the programs of the table below
  grade.py BIN [--json] PROGRAM OPTIONS...  one of the folder BIN, such as 04-cpu-strassen --variant two --levels 1

It only sees products: the program reads A and B from files, and writes C. The questions follow Demmel, Li, Langou, Pereira, Gates and
Rubio Gonzalez (2024); NVIDIA's gemm_grading describes tests for the same three kinds. The matrices here are our own.

All errors are divided by 2^-53 (|A| |B|)(i, j). The triple loop's are then at most n.

  uniform   numbers from [-1, 1): the largest error, and how it grows with n
  lines     some rows of A and columns of B are 2^40 times as large as the others. The triple loop uses one row and one column for an
            element. Strassen's method adds different rows before it multiplies, so small rows lose their last bits
  terms     the columns of A are multiplied by powers of two, and the rows of B by the inverses, so products of large and small
            numbers decide. Fixed-point numbers lose the small ones
  outlier   one large number in A. If its error reaches most other rows, then all rows had to share one fixed point; Strassen's method
            takes it to a few rows

Exit status: 0, or 3 where no program makes a product."""
import json
import math
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print('grade: it needs NumPy (Debian: apt-get install python3-numpy)', file=sys.stderr)
    sys.exit(3)

SIZES = 32, 64, 128, 256
QUESTIONS = (('uniform', 32), ('uniform', 64), ('lines', 64), ('terms', 64), ('outlier', 64), ('uniform', 128), ('uniform', 256),
             ('lines', 256), ('terms', 256), ('outlier', 256))
PROGRAMS = {'cpu': (('01-ikj', '01-cpu-naive.f64 --variant ikj'),
                    ('02-packed', '02-cpu-blocked.f64 --variant packed'),
                    ('03-accumulate', '03-cpu-divide-conquer.f64 --variant accumulate --tau1 16'),
                    ('04-seven', '04-cpu-strassen.f64 --variant seven --levels 2'),
                    ('05-figure3', '05-cpu-winograd.f64 --variant figure3 --levels 2'),
                    ('OpenBLAS', '04-cpu-strassen.f64 --variant seven --levels 0 --leaf openblas'),
                    ('23-exact', '23-exact.sim --no-count --variant residues-plain --levels 1'),
                    ('23-safe', '23-exact.sim --no-count --variant residues-plain --levels 1 --safe')),
            'gpu': (('cublasDgemm', '18-modern.f64 --variant one-pass --levels 0'),
                    ('18-one-level', '18-modern.f64 --variant one-pass --levels 1'),
                    ('23-fewer', '23-exact --variant fewer'),
                    ('23-exact', '23-exact --variant exact'),
                    ('23-two-levels', '23-exact --variant residues --levels 2'),
                    ('23-more', '23-exact --variant more'),
                    ('23-safe', '23-exact --variant safe'))}

# ---- The matrices ----


def bits(x):
    """64 random bits from each counter (common/matrix/random.h)."""
    x = np.asarray(x).astype(np.uint64) * np.uint64(0x9e3779b97f4a7c15)
    for shift, factor in ((30, 0xbf58476d1ce4e5b9), (27, 0x94d049bb133111eb)):
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    return x ^ (x >> np.uint64(31))


def uniform(number):
    return (bits(number + 1) >> np.uint64(10)).astype(np.int64) * 2.0 ** -53 - 1


def choice(i, kind, count):
    """Of each `count` numbers, from 0; different for each i and kind of line."""
    return (bits(2 * i + kind + 1000003) % np.asarray(count).astype(np.uint64)).astype(np.int64)


def of_term(term, line, sign):
    """The scale of a term in a row or column with this span: 2^-span to 2^span."""
    span = np.array((4, 12, 40, 200))[choice(line, int(sign < 0), 4)]
    return np.ldexp(1.0, sign * (choice(term, 2, 2 * span + 1) - span))


def matrices(test, n):
    i, j = np.indices((n, n))
    a, b = uniform(i * n + j), uniform((n + i) * n + j)
    if test == 'lines':
        a, b = np.ldexp(a, 40 * choice(i, 0, 2)), np.ldexp(b, 40 * choice(j, 1, 2))
    if test == 'terms':
        a, b = a * of_term(j, i, 1), b * of_term(i, j, -1)
    if test == 'outlier':
        a[0, 0] = 2.0 ** 60
    return a, b


def exact_product(a, b):
    """The product in long double, and for each element the sum of its terms' magnitudes."""
    a, b = a.astype(np.longdouble), b.astype(np.longdouble)
    return a @ b, abs(a) @ abs(b)

# ---- The answers ----


class Column:
    """A way to multiply: a program with options, and what was found."""

    def __init__(self, name, command):
        self.name, self.command, self.is_there, self.reached, self.about = name, command, True, 0, {}
        self.error = {test: dict.fromkeys(SIZES, 0) for test in ('uniform', 'lines', 'terms', 'outlier')}

    def multiply(self, folder, programs):
        """C of the matrices in the folder; None, after a message, if the program makes none. A program that is not built is one of
        those that this computer lacks."""
        name, *options = self.command.split()
        program, place = os.path.join(programs, name), os.path.join(folder, 'C.npy')
        if not os.access(program, os.X_OK):
            print(f'{program} is not built here', file=sys.stderr)
            return None
        if os.path.exists(place):
            os.unlink(place)
        ran = subprocess.run([program, *options, '--precision', 'f64', '--reps', '0', '--input', f'file:{folder}/A.npy,{folder}/B.npy',
                              '--output', 'file:' + place, '--json'], capture_output=True, encoding='utf-8', check=False)
        try:
            self.about = json.loads(ran.stdout.partition('\n')[0])
        except ValueError:
            self.about = {}
        if ran.returncode == 0 and os.path.exists(place):
            return np.load(place)
        why = (ran.stdout if ran.returncode == 1 else ran.stderr).partition('\n')[0]
        if ran.returncode == 1:
            why = self.about.get('reason', why)
        print(f'{self.command}: no product (status {max(ran.returncode, 0) or 3}): {why}', file=sys.stderr)
        return None

    def judge(self, test, c, exact, size):
        """The largest error, and how many elements have more than n. An outlier's own row may have a large error."""
        error = (abs(c - exact) / size * 2 ** 53).astype(float)[int(test == 'outlier'):]
        error = np.where(np.isnan(error), np.inf, error)
        self.error[test][len(c)], self.reached = error.max(), (error > len(c)).sum() / c.size

    def is_asked(self, test, n):
        return self.is_there and (test != 'outlier' or self.error['lines'][n] > n)

    def worst(self, test):
        """The largest error of a test, relative to n."""
        return max(error / n for n, error in self.error[test].items())

    def kind(self):
        if self.worst('uniform') > 1:
            return 'fewer bits than a double'
        if self.worst('lines') > 1:
            return 'fixed-point, shared' if self.reached > 0.5 else 'Strassen-like'
        return 'fixed-point' if self.worst('terms') > 1 else 'conventional'

    def growth(self):
        """The slope of log(error) over log(n): at most 1 if the error grows at most like n."""
        errors = self.error['uniform'].values()
        return float(np.polyfit(range(len(SIZES)), np.log2(list(errors)), 1)[0]) if all(0 < e < math.inf for e in errors) else math.nan

    def print(self, as_json):
        error, safe = self.error['uniform'][SIZES[-1]], self.kind() == 'conventional' and self.growth() <= 1
        if not as_json:
            print(f'{self.name:16}{self.kind():26}{error:9.1f}{self.growth():8.2f}{self.worst("lines"):10.2g}{self.worst("terms"):10.2g}'
                  f'  {"A, safe" if safe else "unsafe"}')
            return
        row = {'step': 'grade', 'variant': self.name, 'program': self.command, 'backend': self.about.get('backend', ''),
               'device': self.about.get('device', ''), 'kind': self.kind(), 'n': SIZES[-1], 'error': error, 'growth': self.growth(),
               'lines': self.worst('lines'), 'terms': self.worst('terms'), 'safe': safe}
        print('{' + ','.join(f'"{name}":' + (f'{value:.10g}' if math.isfinite(value) else 'null') if isinstance(value, float) else
                             f'"{name}":{json.dumps(value, ensure_ascii=False)}' for name, value in row.items()) + '}')


def main():
    programs, *words = sys.argv[1:]
    as_json = '--json' in words[:1] + words[-1:]
    words = words[words[:1] == ['--json']:]
    words = words[:-1] if words[-1:] == ['--json'] else words
    where = ' '.join(words) or 'cpu'
    columns = [Column(*program) for program in PROGRAMS.get(where, (('this program', where),))]
    with tempfile.TemporaryDirectory(prefix='ladder-grade.') as folder:
        for test, n in QUESTIONS:
            asked = [column for column in columns if column.is_asked(test, n)]
            if not asked:
                continue
            a, b = matrices(test, n)
            exact, size = exact_product(a, b)
            for name, matrix in (('A', a), ('B', b)):
                np.save(os.path.join(folder, name + '.npy'), matrix)
            for column in asked:
                c = column.multiply(folder, programs)
                column.is_there = c is not None
                if column.is_there:
                    column.judge(test, c, exact, size)
    if not any(column.is_there for column in columns):
        return 3
    if not as_json:
        print(f'{"":16}{"kind":26}{"error":>9}{"growth":>8}{"lines":>10}{"terms":>10}  grade')
    for column in columns:
        if column.is_there:
            column.print(as_json)
    if not as_json:
        print(f'error: the largest at n = {SIZES[-1]}, in 2^-53 (|A| |B|)(i, j), and its growth, a power of n;\n'
              'lines, terms: the largest error with scaled lines and with scaled terms, divided by n;\n'
              'grade A: every error is at most n, and the growth at most 1')
    return 0


if __name__ == '__main__':
    sys.exit(main())
