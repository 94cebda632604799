# SPDX-License-Identifier: MIT
"""The landing page's picture: the ladder, each step a rung with its idea and its speed compared with the vendor's library. Ideas come
from the README's table, speeds from home-cpu.jsonl and home-gpu.jsonl in docs/results (tools/measure/home): all GPU steps at
one size on one GPU, all CPU steps at one size on one thread."""
import glob
import html
import json
import math
import os
import re

PARTS = ('cpu', 'gpu')


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


def is_ours(row):
    """Whether a row is a step's and not the library's."""
    return not row['variant'].startswith('cublas')


def rungs(root, readme, measured):
    """[(step, title, idea, part, line, row)] of all steps there are; the row is None where a step has none."""
    ideas = dict(re.findall(r'^\|[^|]*?\]\(steps/([^/)]+)/README\.md\)[^|]*\|\s*((?:[^|\\]|\\.)*?)\s*\|', readme, re.M))
    found = []
    for path in sorted(glob.glob(os.path.join(glob.escape(root), 'steps', '[0-9][0-9]-*', 'README.md'))):
        step = os.path.basename(os.path.dirname(path))
        with open(path, encoding='utf-8') as file:
            title = re.sub(r'^#\s*\d+ – ', '', file.readline().strip())
        part, line, row = next(((part, *best[step]) for part, (_, _, best) in measured.items() if step in best), (None, 0, None))
        found.append((step, title, ideas.get(step, ''), part, line, row))
    return found


def library(row):
    """The function that a row's ratio is to."""
    if row['backend'] == 'cpu':
        return 'OpenBLAS'
    return 'cublasDgemm' if row['precision'] == 'f64' else 'cublasSgemm'


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


def key(part, conditions, best):
    """The words under the ladder about one machine."""
    row = next(iter(best.values()))[1]
    where = 'on one core of an %s' if part == 'cpu' else 'on an %s'
    return '<i class="%s"></i> n = %d %s, %s, compared with %s.' % (
        part, row['n'], where % html.escape(conditions['device']), conditions['date'],
        'OpenBLAS on one core' if part == 'cpu' else 'cuBLAS (17 and 23 in double)')


def picture(root, readme, pages):
    """The ladder: step 01 is at the bottom, and the page reads in the order of the steps. `pages` says where a results file's
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
