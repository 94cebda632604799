# SPDX-License-Identifier: MIT
"""The landing page, the pages of exercises, programs and numbers, and the landing page's picture: the ladder, each step a rung with its idea and its speed compared with the vendor's library. Ideas come
from the README's table, speeds from home-cpu.jsonl and home-gpu.jsonl in docs/results (tools/measure/home): all GPU steps at
one size on one GPU, all CPU steps at one size on one thread."""
import glob
import html
import json
import math
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PARTS = ('cpu', 'gpu')


def read(path):
    with open(os.path.join(ROOT, path), encoding='utf-8') as file:
        return file.read()


def write(path, text):
    with open(os.path.join(ROOT, path), 'w', encoding='utf-8') as file:
        file.write(text)


def title(path):
    """The text of a page's first heading."""
    match = re.search(r'^# +(.*)', read(path), re.M)
    return re.sub(r'[`*]', '', match.group(1)).strip() if match else path


# Pages that the site has and the repository lacks; made() below makes them.
CLIMB, EXERCISES, GALLERY, NUMBERS = 'steps/short-climb/README.md', 'exercises/README.md', 'docs/run-here.md', 'docs/numbers.md'


def results():
    """{cpu or gpu: (path of its file, conditions, {step: (line, row)})}: of each step the right row with the largest ratio."""
    found = {}
    for part in PARTS:
        for path in sorted(glob.glob(os.path.join(glob.escape(ROOT), 'docs', 'results', '*', 'home-%s.jsonl' % part))):
            with open(path, encoding='utf-8') as file:
                rows = [json.loads(line) for line in file]
            best = {}
            for line, row in enumerate(rows, 1):
                if row.get('ratio') and row.get('passed', True) and row.get('threads', 1) == 1 and is_ours(row):
                    if row['step'] not in best or row['ratio'] > best[row['step']][1]['ratio']:
                        best[row['step']] = line, row
            found[part] = os.path.relpath(path, ROOT), rows[0]['conditions'], best
    return found


def is_ours(row):
    """Whether a row is a step's and not the library's."""
    return not row['variant'].startswith('cublas')


def rungs(readme, measured):
    """[(step, title, idea, part, line, row)] of all steps there are; the row is None where a step has none."""
    ideas = dict(re.findall(r'^\|[^|]*?\]\(steps/([^/)]+)/README\.md\)[^|]*\|\s*((?:[^|\\]|\\.)*?)\s*\|', readme, re.M))
    found = []
    for path in sorted(glob.glob(os.path.join(glob.escape(ROOT), 'steps', '[0-9][0-9]-*', 'README.md'))):
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


def about(row):
    return '%s%s, n = %s: %.1f ms, %s %.1f ms' % (row['variant'], ', %d levels' % row['levels'] if row.get('levels') else '', row['n'],
                                                  row['ms_median'], library(row), row['ms_median'] * row['ratio'])


def rung(step, title, idea, part, _, row, page, most):
    words = '<span class="none">on many ranks: no bar</span>' if os.path.basename(step).startswith('22') else ''
    if row:
        words = ('<a class="row" href="%s#step-%s" title="%s"><span class="bar %s" style="width:%.2f%%"></span>'
                 '<span class="ratio"><b>%.2f</b> × %s</span></a>'
                 % (page, step[:2], html.escape(about(row)), part, 100 * row['ratio'] / most, row['ratio'], library(row)))
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


def picture(readme, page):
    """The ladder: step 01 is at the bottom, and the page reads in the order of the steps. `page` shows the rows."""
    measured = results()
    steps = rungs(readme, measured)
    if not measured:  # only the rungs
        return '<div class="ladder">\n%s\n</div>' % '\n'.join(rung(*step, page='', most=1) for step in steps)
    most = math.ceil(max([row['ratio'] for *_, row in steps if row], default=1))
    ticks = ''.join('<span style="left:%.2f%%">%d</span>' % (100 * tick / most, tick) for tick in range(most + 1))
    lines = [rung(*step, page=page, most=most) for step in steps]
    keys = ' '.join(key(part, conditions, best) for part, (_, conditions, best) in measured.items() if best)
    return ('<div class="ladder" style="--vendor:%.2f%%">\n<div class="axis" aria-hidden="true"><span class="scale">%s</span></div>\n%s\n'
            '<p class="key">How many times as fast as the vendor’s library each step is, all at one size and on one machine; the '
            'line at 1 is the library. %s Each number leads to its row. Start at the bottom.</p>\n</div>'
            % (100 / most, ticks, '\n'.join(lines), keys))


# ---- the landing page, and pages that the site has in addition to the repository's ----

def do_it(up, program, variant='', words='Do it here'):
    return '<a class="do-it" href="%splayground/index.html?program=%s%s">%s</a>' % (up, program, '&amp;variant=' + variant if variant else '', words)


def exercise_list(exercises, chapter_page, offers):
    """All exercises, with what this browser's playground and its lab have noted of each (ladder.js)."""
    out = ['# Exercises', 'All exercises of the ladder on one page. Each is checked by the simulated GPU, here in the page or with `./ladder lab check`. '
           'The last column has the progress that the playground keeps in this browser; there it can also be saved, and loaded from `lab/progress`.',
           '<p id="exercises_done" aria-live="polite"></p>', '| exercise | chapter | points | do it | progress |\n| --- | --- | --- | --- | --- |']
    for folder in exercises:
        name, text = os.path.basename(folder), read(folder + '/README.md')
        chapter = chapter_page(name[:2])
        out.append('| [%s](%s/README.md) | [%s](../%s) | %s | %s | <span data-exercise="%s">new</span> |' % (
            title(folder + '/README.md'), name, title(chapter), chapter, re.search(r'^\*\*Points\.\*\* (\d+)', text, re.M).group(1),
            do_it('../', name) if name in offers.get('exercises', ()) else '`./ladder lab start %s`' % name, name))
    return '\n\n'.join(out[:4]) + '\n' + '\n'.join(out[4:])


def gallery(programs):
    """What the playground runs: the chapters' kernels with their pictures, mistakes and failing launches with the line at fault."""
    mistakes = {name: '<code>%s</code><span>%s</span>' % (html.escape(line), kind) for name, kind, line in re.findall(
        r'^## (\w+)\n.*?^```text\n\S+: fault: ([\w-]+).*?\n +\d+ \| (.*?)\n', read('simgpu/docs/gallery.md'), re.M | re.S)}
    said = {name: done if launch == 'no error' else launch for name, launch, done in re.findall(
        r'^(\w+) +launch: \d+ (.*?); done: \d+ (.*?);', read('docs/launch-errors.md'), re.M)}
    lines = dict(re.findall(r'strcmp\(name, "(\w+)"\)\) ?{?\n(?: +void \*values.*\n)? *(.*)', read('docs/launch-errors.cu')))

    def card(program, shown, words, variant=''):
        return '<a class="card" href="../playground/index.html?program=%s%s">%s<b>%s</b></a>' % (
            program['id'], '&amp;variant=' + variant if variant else '', shown, html.escape(words))

    kernels, others = [], []
    for program in programs:
        if program.get('mistaken') and program['id'] != 'launch-errors':
            others.append(card(program, mistakes.get(program['id'], '<span>no fault is named</span>'), program['title']))
        elif program['id'] == 'launch-errors':
            launches = [card(program, '<code>%s</code><span>%s</span>' % (html.escape(lines[name]), said[name]), name, name) for name in program['variants']]
        else:
            page = program['page'].replace('/index', '/README') + '.md'
            picture = re.search(r'^!\[.*?\]\(([^()/\s]+\.svg)\)', read(page), re.M) if program['page'] else None
            shown = '<img src="../%s/%s" alt="" loading="lazy">' % (os.path.dirname(page), picture.group(1)) if picture else ''
            kernels.append(card(program, shown, program['title']))
    sections = [('The chapters’ kernels', kernels), ('Twenty mistakes', others), ('Launches that fail', launches)]
    return '\n\n'.join(['# Gallery', 'Programs to change and run in this browser: the kernels of the chapters, and mistakes that the simulated GPU '
                        'names at their line. [Exercises](../exercises/README.md) have their own page.'] +
                       ['## %s\n\n<div class="cards">%s</div>' % (words, ''.join(cards)) for words, cards in sections])


def numbers():
    """The numbers of the landing page: how each is computed, when and where it was measured."""
    text = read('README.md')
    out = ['# The numbers of the first page', 'How each number of the first page was computed, and where it was measured. A formula names a column of the '
           'file and the rows that it takes; each file holds all rows of its runs, one in a line.', '## In the text',
           '| number | computed as | result | machine and date | file |\n| --- | --- | --- | --- | --- |']
    for name, path, said in re.findall(r'^\[([^\]]+)\]: (\S+) "(.*)"$', text, re.M):
        how, where = said.split('; ', 1)
        formula, value = how.rsplit(' = ', 1)
        words = re.search(r'\[([^\[\]]*)\]\[%s\]' % re.escape(name), text)
        out.append('| <span id="n-%s">%s</span> | `%s` | %s | %s | [%s](../%s) |' % (name, words.group(1) if words else name, formula, value, where,
                                                                               os.path.basename(path), path))
    out += ['', '## In the ladder', '', '| step | measured | ratio | machine and date | file |', '| --- | --- | --- | --- | --- |']
    measured = results()
    for step, words, _, part, line, row in rungs(text, measured):
        if row:
            path, conditions, _ = measured[part]
            out.append('| <span id="step-%s">%s – %s</span> | %s | %.2f | %s, %s | [%s, line %d](../%s) |' % (
                step[:2], step[:2], words, about(row), row['ratio'], conditions['device'], conditions['date'], os.path.basename(path), line, path))
    return '\n\n'.join(out[:4]) + '\n' + '\n'.join(out[4:])


def doors(exercises, offers):
    """The ways in, after the editor."""
    ways = [('#begin', 'Install it', 'One command, no GPU needed: <code>./ladder run 06 --yes</code>'),
            ('steps/short-climb/index.html', 'Read', 'The short climb: from the triple loop to a fused Strassen kernel in about 105 minutes.'),
            ('exercises/index.html', 'Practise', '%d exercises, each checked by the simulated GPU.' % len(exercises))]
    ways += [('docs/run-here.html', 'Look around', 'Kernels to run in the page, and twenty mistakes.')] if offers else []
    pdf = '<p>Or take <a href="pdf/strassen-ladder.pdf">the book as PDF</a>.</p>' if os.environ.get('LADDER_PDF') else ''
    return '<div class="doors">\n%s\n</div>%s' % ('\n'.join(
        '<a class="door" href="%s"><b>%s</b><span>%s</span></a>' % way for way in ways), pdf)


EDITOR = '''Write CUDA in this page: no GPU, nothing to install. Every memory transaction is counted; mistakes are named at their line.
{: .lead }

<div class="try">
<iframe data-src="playground/index.html?embed&amp;program=empty" title="Playground: a CUDA program to change and run"></iframe>
</div>'''


def with_ladder(text, exercises, offers):
    """The README, below the playground's editor and the plot with its sentence; the ladder comes after its first words."""
    head, words, plot, sentence, rest = text.split('\n\n', 4)
    begin = [EDITOR, plot, sentence, words] if offers else [words + '\n{: .lead }', plot, sentence]
    return '\n\n'.join([head] + begin + [doors(exercises, offers) if rest.startswith('## Begin\n') else '', picture(text, 'docs/numbers.html'), rest])
