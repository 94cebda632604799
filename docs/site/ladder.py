# SPDX-License-Identifier: MIT
"""The landing page's picture: the ladder, each step a rung with its idea and its best measured ratio to the
vendor's library. Ideas come from the README's table, ratios from the results in docs/results."""
import functools
import glob
import html
import json
import math
import os
import re

LEAST, MOST = 0.01, 10.0  # the scale of the bars, in times the vendor's library


def best_results(root):
    """For each step the right result with the largest ratio, for square matrices; in double only if there is no
    other."""
    best = {}
    for path in glob.glob(os.path.join(glob.escape(root), 'docs', 'results', '**', '*.jsonl'), recursive=True):
        with open(path, encoding='utf-8') as file:
            rows = [json.loads(line) for line in file if line.strip()]
        for row in rows:
            square = row.get('m') == row.get('n') == row.get('k')
            if row.get('step') and row.get('ratio') and square and is_right(row, rows) and has_variant(root, row):
                key = (row.get('precision') == 'f32', row['ratio'])
                if row['step'] not in best or key > best[row['step']][0]:
                    best[row['step']] = (key, row)
    return {step: row for step, (_, row) in best.items()}


@functools.lru_cache(maxsize=None)
def main_source(root, step):
    """The source with a step's table of variants."""
    for path in glob.glob(os.path.join(glob.escape(root), 'steps', step, step + '.c*')):
        with open(path, encoding='utf-8') as file:
            return file.read()
    return ''


def has_variant(root, row):
    """Whether the step still has the variant: it may have moved to another step."""
    return '"%s"' % row.get('variant') in main_source(root, row['step'])


def is_right(row, rows):
    """Whether a result counts: the checker found it right, or, if only errors were measured, they are no
    larger than the library's at the same size."""
    if 'passed' in row or 'mean_error' not in row:
        return row.get('passed', True) is not False
    library = [other['mean_error'] for other in rows if other.get('n') == row['n'] and other.get('ratio') == 1]
    return bool(library) and row['mean_error'] <= library[0]


def rungs(root, readme):
    """[(step, title, idea, result row or None)] for every step."""
    ideas = dict(re.findall(r'^\|[^|]*?\]\(steps/([^/)]+)/README\.md\)[^|]*\|\s*((?:[^|\\]|\\.)*?)\s*\|', readme, re.M))
    best = best_results(root)
    found = []
    for path in sorted(glob.glob(os.path.join(glob.escape(root), 'steps', '[0-9][0-9]-*', 'README.md'))):
        step = os.path.basename(os.path.dirname(path))
        with open(path, encoding='utf-8') as file:
            title = re.sub(r'^#\s*\d+ – ', '', file.readline().strip())
        found.append((step, title, ideas.get(step, ''), best.get(step)))
    return found


def place(ratio):
    """The position of a ratio on the logarithmic scale, in percent."""
    ratio = min(max(ratio, LEAST), MOST)
    return 100 * math.log(ratio / LEAST) / math.log(MOST / LEAST)


def rounded(ratio):
    return '%.2f' % ratio if ratio < 9.95 else '%.0f' % ratio


def rung(step, title, idea, row):
    number = step.split('-')[0]
    bar, words = '', '<span class="none">no time of its own</span>'
    if row:
        kind = 'gpu' if row.get('backend') == 'cuda' else 'cpu'
        vendor = row.get('reference', 'cuBLAS' if kind == 'gpu' else 'OpenBLAS').split()[0]
        about = '%s, n = %s, %s' % (row['variant'], row['n'], row['device'])
        bar = '<span class="bar %s" style="width:%.1f%%"></span>' % (kind, place(row['ratio']))
        words = '<span class="ratio" title="%s"><b>%s</b> × %s</span>' % (html.escape(about), rounded(row['ratio']), vendor)
    return ('<a class="rung" href="steps/%s/index.html"><span class="number">%s</span>'
            '<span class="what"><b>%s</b><span class="idea">%s</span></span>'
            '<span class="scale">%s%s</span></a>' % (step, number, html.escape(title), html.escape(idea), bar, words))


def picture(steps):
    """The ladder: step 01 is at the bottom, and the page reads in the order of the steps."""
    return ('<div class="ladder" style="--vendor:%.1f%%">\n%s\n<p class="key">Best speed of each step beside the vendor’s library on the same '
            'machine, for square matrices (<i class="cpu"></i> OpenBLAS, <i class="gpu"></i> cuBLAS), on a logarithmic scale; '
            'the dashed line is the library. Start at the bottom.</p>\n</div>'
            % (place(1), '\n'.join(rung(*step) for step in steps)))
