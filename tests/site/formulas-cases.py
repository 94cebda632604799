#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What docs/site/formulas.py makes of the chapters' ways to write formulas, and what it leaves alone."""
import html
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'docs', 'site'))
sys.dont_write_bytecode = True
import formulas  # noqa: E402

BLOCKS = {
    'T(n) = 8 T(n/2) + 4 (n/2)²\n':
        r'T\left(n\right) = 8 T\left(\frac{n}{2}\right) + 4 \left(\frac{n}{2}\right)^{2}',
    'M1 = (A11 + A22)(B11 + B22)\nM2 = (A21 + A22) B11              C11 = M1 + M4\n':
        r'\begin{aligned} M_{1} & = \left(A_{11} + A_{22}\right)\left(B_{11} + B_{22}\right) & \qquad & \\[0.35em] '
        r'M_{2} & = \left(A_{21} + A_{22}\right) B_{11} & \qquad C_{11} & = M_{1} + M_{4} \end{aligned}',
    'M1 = S2 S6       V1  = M1 + M2\nM2 = A11 B11     C11 = V1 + M3\n':
        r'\begin{aligned} M_{1} & = S_{2} S_{6} & \qquad V_{1} & = M_{1} + M_{2} \\[0.35em] '
        r'M_{2} & = A_{11} B_{11} & \qquad C_{11} & = V_{1} + M_{3} \end{aligned}',
    'W = 2n²/√P (1 − 1/√P)\n': r'W  = 2n^{2}/\sqrt{P} \left(1 - 1/\sqrt{P}\right)',
    'bytes          n²/16 · (96n + 64)    = 6n³ + 4n²\n':
        r'\begin{aligned} & \text{bytes} & \qquad & \frac{n^{2}}{16} \cdot  \left(96n + 64\right) & \qquad  & = 6n^{3} + 4n^{2} \end{aligned}',
    '08-gpu-shared: right: 1 of 1 variants\n': None,
    'kernels.cu:57: fault: race in kernel k\n       57 | __syncthreads();\n': None,
    '   A21 A22 → S1      2 reads, 1 write\n': None,
    '  ikj      512   12.26 ms = model\n  | a | b |\n': None,
}
# The same in lines, for narrow windows.
LINES = {
    'M1 = S2 S6       V1  = M1 + M2\nM2 = A11 B11     C11 = V1 + M3\n':
        ['M_{1}  = S_{2} S_{6}', 'M_{2}  = A_{11} B_{11}', 'V_{1}  = M_{1} + M_{2}', 'C_{11}  = V_{1} + M_{3}'],
    'sums       3m + 4m     =  7m        GPU8: 2n\nbytes      4m          =  4n        GPU8: 9n\n':
        [r'\text{sums}\quad \allowbreak 3m + 4m = 7m\quad \allowbreak \text{GPU8}\colon  2n',
         r'\text{bytes}\quad \allowbreak 4m = 4n\quad \allowbreak \text{GPU8}\colon  9n'],
    '         bytes     sums\nGPU8     5n²       8n\n':
        [r'\text{GPU8}\quad \allowbreak \text{bytes}\ \allowbreak 5n^{2}\quad \allowbreak \text{sums}\ \allowbreak 8n'],
}
INLINE = {
    'so n³/8 + n²/16 transactions.': 'so [n^{3}/8 + n^{2}/16] transactions.',
    'O(n³), not O(n²).': '[O(n^{3})], not [O(n^{2})].',
    'is 622 · 10⁹ operations': r'is [622 \cdot  10^{9}] operations',
    'If P = 7^L, the factor (7/4)^L': 'If [P = 7^{L}], the factor [(7/4)^{L}]',
    'takes ⅔ (1 − 4^−L) n² elements': r'takes [\tfrac{2}{3} (1 - 4^{-L}) n^{2}] elements',
    '= 88.5 (7/4)^(k−1) n². Both': r'= [88.5 (7/4)^{k-1} n^{2}]. Both',
    'n > 933 (17n³/32768 against 31n²/64) and': 'n > 933 ([17n^{3}/32768] against [31n^{2}/64]) and',
    'the n²-term grows': 'the [n^{2}]-term grows',
    'costs 3n\'² elements, and (n\'/n)³ times': 'costs [3n\'^{2}] elements, and [(n\'/n)^{3}] times',
    'T(n) = 7 · T(n/2) + 15 (n/2)² with': r'[T(n) = 7 \cdot  T(n/2) + 15 (n/2)^{2}] with',
    'with H = (1 − 2⁻⁶) · P/2. The': r'with [H = (1 - 2^{-6}) \cdot  P/2]. The',
    'that is √2 · √(3.2² + 2.4²) · 1e-7 = 5.7e-7 a term': r'that is [\sqrt{2} \cdot  \surd (3.2^{2} + 2.4^{2}) \cdot  1e-7 = 5.7e-7] a term',
    'a workspace (n² elements).': 'a workspace ([n^{2}] elements).',
    'less than 2n²/3?': 'less than [2n^{2}/3]?',
    'A(k, n) = 7 A(k−1, n/2) + 15n²/4.': r'A(k, n) = 7 [A(k-1,\; n/2) + 15n^{2}/4].',
    'is [18^L (n0² + 6n0) − 6n] u': r'is [[18^{L} (n_{0}^{2} + 6n_{0}) - 6n]] u',
    'a table of 16 (or 3) and a kernel (see 4)': 'a table of 16 (or 3) and a kernel (see 4)',
    'step 06 at n = 128, a and/or b': 'step 06 at n = 128, a and/or b',
    '5 % of all 16 × 16 tiles': '5 % of all 16 × 16 tiles',
}


def main():
    wrong = 0
    for text, expected in BLOCKS.items():
        got = formulas.block(text)
        if got != expected and (expected is None or ' '.join((got or '').split()) != ' '.join(expected.split())):
            wrong += 1
            print('%r\n  gives    %s\n  expected %s' % (text, got, expected))
    for text, expected in LINES.items():
        got = formulas.equations(text)
        if got != expected:
            wrong += 1
            print('%r\n  in lines %s\n  expected %s' % (text, got, expected))
    for text, expected in INLINE.items():
        parts = html.unescape(formulas.inline(text)).split('<span class="tex" data-tex="')
        got = parts[0] + ''.join('[' + part.split('">', 1)[0] + ']' + part.split('</span>', 1)[1] for part in parts[1:])
        if got != expected:
            wrong += 1
            print('%r\n  gives    %s\n  expected %s' % (text, got, expected))
    print('%d of %d wrong' % (wrong, len(BLOCKS) + len(LINES) + len(INLINE)))
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
