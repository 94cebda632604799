# SPDX-License-Identifier: MIT
"""The landing page's picture: the ladder, each step a rung with its idea and its speed beside the vendor's library. Ideas come
from the README's table, speeds from home-cpu.jsonl and home-gpu.jsonl in docs/results (tools/measure/home): all GPU steps at
one size on one GPU, all CPU steps at one size on one thread."""
import glob
import html
import json
import math
import os
import re

PARTS = ('cpu', 'gpu')


<<<<<<< HEAD
def results(root):
    """{cpu or gpu: (path of its file, conditions, {step: (line, row)})}: of each step the right row with the largest ratio."""
    found = {}
    for part in PARTS:
        for path in sorted(glob.glob(os.path.join(glob.escape(root), 'docs', 'results', '*', 'home-%s.jsonl' % part))):
            with open(path, encoding='utf-8') as file:
                rows = [json.loads(line) for line in file]
            best = {}
            for line, row in enumerate(rows, 1):
                if row.get('ratio') and row.get('passed', True) and row.get('threads', 1) == 1 and is_ours(row):
                    if row['step'] not in best or row['ratio'] > best[row['step']][1]['ratio']:
                        best[row['step']] = line, row
            found[part] = os.path.relpath(path, root), rows[0]['conditions'], best
    return found
=======
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
>>>>>>> main


def is_ours(row):
    """Whether a row is a step's and not the library's own beside it."""
    return not row['variant'].startswith('cublas')


<<<<<<< HEAD
def rungs(root, readme, measured):
    """[(step, title, idea, part, line, row)] of all steps there are; the row is None where a step has none."""
=======
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
>>>>>>> main
    ideas = dict(re.findall(r'^\|[^|]*?\]\(steps/([^/)]+)/README\.md\)[^|]*\|\s*((?:[^|\\]|\\.)*?)\s*\|', readme, re.M))
    found = []
    for path in sorted(glob.glob(os.path.join(glob.escape(root), 'steps', '[0-9][0-9]-*', 'README.md'))):
        step = os.path.basename(os.path.dirname(path))
        with open(path, encoding='utf-8') as file:
            title = re.sub(r'^#\s*\d+ – ', '', file.readline().strip())
        part, line, row = next(((part, *best[step]) for part, (_, _, best) in measured.items() if step in best), (None, 0, None))
        found.append((step, title, ideas.get(step, ''), part, line, row))
    return found


<<<<<<< HEAD
def library(row):
    """The function that a row's ratio is to."""
    if row['backend'] == 'cpu':
        return 'OpenBLAS'
    return 'cublasDgemm' if row['precision'] == 'f64' else 'cublasSgemm'
=======
def place(ratio):
    """The position of a ratio on the logarithmic scale, in percent."""
    ratio = min(max(ratio, LEAST), MOST)
    return 100 * math.log(ratio / LEAST) / math.log(MOST / LEAST)
>>>>>>> main


def rung(step, title, idea, part, line, row, page, most):
    words = '<span class="none">on many ranks: no bar</span>' if os.path.basename(step).startswith('22') else ''
    if row:
        about = '%s%s, n = %s: %.1f ms, %s %.1f ms' % (
            row['variant'], ', %d levels' % row['levels'] if row.get('levels') else '', row['n'], row['ms_median'], library(row),
            row['ms_median'] * row['ratio'])
        words = ('<a class="row" href="%s#L%d" title="%s"><span class="bar %s" style="width:%.2f%%"></span>'
                 '<span class="ratio"><b>%.2f</b> × %s</span></a>'
                 % (page, line, html.escape(about), part, 100 * row['ratio'] / most, row['ratio'], library(row)))
    return ('<div class="rung"><a class="chapter" href="steps/%s/index.html"><span class="number">%s</span>'
            '<span class="what"><b>%s</b><span class="idea">%s</span></span></a><span class="scale">%s</span></div>'
            % (step, step.split('-')[0], html.escape(title), html.escape(idea), words))


<<<<<<< HEAD
def key(part, conditions, best):
    """The words under the ladder about one machine."""
    row = next(iter(best.values()))[1]
    where = 'on one core of an %s' if part == 'cpu' else 'on an %s'
    return '<i class="%s"></i> n = %d %s, %s, beside %s.' % (
        part, row['n'], where % html.escape(conditions['device']), conditions['date'],
        'OpenBLAS on one core' if part == 'cpu' else 'cuBLAS (17 and 23 in double)')


def picture(root, readme, pages):
    """The ladder: step 01 stands at the bottom, and the page reads in the order of the steps. `pages` says where a results file's
    rows are shown."""
    measured = results(root)
    steps = rungs(root, readme, measured)
    if not measured:  # only the rungs
        return '<div class="ladder">\n%s\n</div>' % '\n'.join(rung(*step, page='', most=1) for step in steps)
    most = math.ceil(max([row['ratio'] for *_, row in steps if row], default=1))
    ticks = ''.join('<span style="left:%.2f%%">%d</span>' % (100 * tick / most, tick) for tick in range(most + 1))
    lines = [rung(*step, page=pages[measured[step[3]][0]] if step[3] else '', most=most) for step in steps]
    keys = ' '.join(key(part, conditions, best) for part, (_, conditions, best) in measured.items() if best)
    return ('<div class="ladder" style="--vendor:%.2f%%">\n<div class="axis" aria-hidden="true"><span class="scale">%s</span></div>\n%s\n'
            '<p class="key">How many times as fast as the vendor’s library each step is, all at one size and on one machine; the '
            'line at 1 is the library. %s Each number leads to its row. Start at the bottom.</p>\n</div>'
            % (100 / most, ticks, '\n'.join(lines), keys))
=======
def picture(steps):
    """The ladder: step 01 is at the bottom, and the page reads in the order of the steps."""
    return ('<div class="ladder" style="--vendor:%.1f%%">\n%s\n<p class="key">Best speed of each step beside the vendor’s library on the same '
            'machine, for square matrices (<i class="cpu"></i> OpenBLAS, <i class="gpu"></i> cuBLAS), on a logarithmic scale; '
            'the dashed line is the library. Start at the bottom.</p>\n</div>'
            % (place(1), '\n'.join(rung(*step) for step in steps)))
>>>>>>> main
