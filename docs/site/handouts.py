# SPDX-License-Identifier: MIT
"""handouts.py BUILD [SEED]: prints the six labs of the course, each as a handout for students, BUILD/docs/handouts/lab-N.pdf, and
a sheet for the teacher, lab-N-teacher.pdf. tools/scripts/docs --handouts runs it; SEED is a class or a class/student, as in `lab --class`.

Nothing is written here twice. The six-week course of docs/ways.md says which exercises form a lab, and what is discussed.
Statements and stubs come from `lab export`, so no answer is in a handout; with SEED they are that class's variant. Hints, wrong
answers and solutions come from the exercises' folders, answers in words from docs/classroom/answers.md, the seconds of a check
and what it said from docs/results/epyc-2/lab-checks.jsonl.

Exit status: 3 where there is no Chromium, pypdf or Markdown, 1 where a handout has more than MOST pages."""
import html
import io
import json
import math
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pdf  # noqa: E402

MOST = 4
CHECKS = 'docs/results/epyc-2/lab-checks.jsonl'
LAB_MINUTES, BEGIN, MISTAKES = 120, 10, 5
CLASS, FAST = 2, 1  # minutes for each line asked for: in a lab, on the fast track
STYLE = '''<meta charset="utf-8"><style>@page { size: A4; margin: 16mm 18mm 20mm }
body { font: 10pt/1.4 "Noto Sans", "DejaVu Sans", Arial, sans-serif; margin: 0 }
h1 { font-size: 17pt; margin: 0 0 2mm } h2 { font-size: 13pt; margin: 6mm 0 1.5mm; border-bottom: 0.3mm solid #888 }
h3 { font-size: 11pt; margin: 4mm 0 1mm } h1, h2, h3 { break-after: avoid } p, ul, ol { margin: 1.5mm 0; max-width: none } li { margin: 0.6mm 0 }
pre { font: 8.2pt/1.3 "DejaVu Sans Mono", monospace; background: #f4f4f4; padding: 2mm 3mm; white-space: pre-wrap; break-inside: avoid }
code { font: 0.9em "DejaVu Sans Mono", monospace } a { color: inherit; text-decoration: none }
table { width: 100%; border-collapse: collapse; margin: 2mm 0; font-size: 9pt } th { text-align: left; border-bottom: 0.3mm solid #888 }
td, th { padding: 0.8mm 3mm 0.8mm 0; vertical-align: top } tr { break-inside: avoid } td { overflow-wrap: anywhere }
.number { text-align: right; white-space: nowrap } .line { border-bottom: 0.2mm solid #999; height: 7.5mm }
.question { break-inside: avoid } .name { text-align: right; margin-bottom: 3mm } td code { white-space: pre-wrap }</style>'''


def read(*path):
    with open(os.path.join(ROOT, *path), encoding='utf-8') as file:
        return file.read()


def bare(text):
    """Markdown without its links: paper has none."""
    return re.sub(r'\[([^]]*)\]\([^)]*\)', r'\1', text)


def as_html(text):
    import markdown
    return markdown.markdown(bare(text), extensions=['tables', 'fenced_code', 'sane_lists'])


def in_line(text):
    return re.sub(r'^<p>|</p>$', '', as_html(text))


def labs():
    """The weeks of the course: (number, what to read, exercises, what to discuss)."""
    course = read('docs', 'ways.md').split('## A six-week course', 1)[1].split('\n## ', 1)[0]
    for number, reading, exercises, question in re.findall(r'^\| (\d) \| (.*?) \| (.*?) \| (.*?) \|$', course, re.M):
        yield int(number), reading, re.findall('`(.*?)`', exercises), question


def page_of(link):
    """Title, prerequisites and minutes of a page of the reading list."""
    path = os.path.normpath(os.path.join('docs', link))
    text = read(path)
    title = bare(re.search(r'^# (.*)', text)[1]).strip()
    said = re.search(r'You should know:?(.*?)About\s+(\d+|an\s+hour(?:\s+and\s+a\s+half)?)', text, re.S)
    if not said:
        return title, '', None
    return title, bare(' '.join(said[1].split())).strip(' .'), int(said[2]) if said[2].isdigit() else 90 if 'half' in said[2] else 60


def sections(text):
    """A statement's parts by the words that begin them in bold letters."""
    parts = re.split(r'\*\*(You will learn|The task|Your variant|The target|Points|To answer in words)\.?\*\*', text)
    return {name: body.strip() for name, body in zip(parts[1::2], parts[2::2])}


def region_and_frame(source):
    """The function around each marked region, up to the region's end."""
    lines, shown, at = source.split('\n'), [], 0
    while at < len(lines):
        if '/* YOUR CODE' in lines[at]:
            first, last = at, '/* END */'  # a separate region, or a part of a function
            if lines[at].startswith(' '):
                first = max(i for i in range(at) if re.match('[a-z]', lines[i]) and not lines[i - 1].endswith(','))
                last = '}'
            while first and re.match(r'( \*|/\*|[a-z].*,$)', lines[first - 1]):
                first -= 1
            end = next(i for i in range(at, len(lines)) if lines[i].startswith(last))
            shown.append('\n'.join(lines[first:end + 1]))
            at = end
        at += 1
    return re.sub(r'/\* STUB: (.*?) ?\*/', r'\1', '\n\n'.join(shown))


def asked_for(source):
    """The lines between the marks, without comments."""
    inside = re.findall(r'/\* YOUR CODE.*?\n(.*?)[ \t]*/\* END \*/', source, re.S)
    lines = [line for part in inside for line in part.split('\n')]
    return [line for line in lines if re.search(r'\w', re.sub(r'/\*.*', '', line))]


def part_of(folder, name):
    """The part of an exercise's check.md below the heading "## NAME", without the fences of code."""
    part = re.search(r'^## %s\n(.*?)(?=^## |\Z)' % name, read(folder, 'check.md'), re.S | re.M)[1]
    return re.sub(r'^```.*\n', '', part, flags=re.M)


def hints_of(folder):
    return [' '.join(part.split('\n', 1)[1].split()) for part in part_of(folder, 'Hints').split('### ')[1:]]


def source_of(folder):
    name = 'source.cu' if os.path.exists(os.path.join(ROOT, folder, 'source.cu')) else 'source.c'
    return read(folder, name), name[7:]


def minutes(exercise, each_line):
    """The rule of docs/ways.md: 80 words of statement and hints a minute, and `each_line` minutes for each line asked for, twice that
    in an open exercise, rounded up to five."""
    folder = os.path.join('exercises', exercise)
    words = len((read(folder, 'README.md') + ' '.join(hints_of(folder))).split())
    if re.search('^open$', part_of(folder, 'Goals'), re.M):  # what to write is the reader's to find
        each_line *= 2
    return 5 * math.ceil((words / 80 + each_line * len(asked_for(source_of(folder)[0]))) / 5)


class Exercise:
    """What a lab needs of one exercise: `statement` and `stub` as students get them, and the rest for the teacher."""

    def __init__(self, build, scratch, name, seed):
        out, ours = os.path.join(scratch, name), ['--class', seed] if seed else []
        lab, settings = os.path.join(build, 'bin', 'lab'), dict(os.environ, LADDER_BUILD=build, LADDER_LAB=os.path.join(scratch, 'lab'))
        subprocess.run([lab, 'export', out, name] + ours, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=settings)
        self.solution = subprocess.run([lab, 'solution', name, '--anyway'] + ours, check=True, capture_output=True, text=True,
                                       env=settings).stdout
        given = os.path.join(out, 'exercises', name)
        self.name, self.statement = name, read(given, 'README.md')
        self.title = re.sub(r'^\d+ – ', '', re.search('^# (.*)', self.statement)[1])
        self.parts = sections(self.statement)
        self.stub, self.suffix = source_of(given)
        self.folder = os.path.join('exercises', name)
        questions = self.parts.get('To answer in words', '').split('\nThe chapter')[0]
        self.questions = [' '.join(q.split()) for q in re.split(r'^\d+\. ', questions, flags=re.M)[1:]]

    def answers(self):
        found = re.search(r'^### %s\n(.*?)(?=^##)' % re.escape(self.name), read('docs', 'classroom', 'answers.md') + '\n##', re.S | re.M)
        return found[1] if found else ''

    def mistakes(self):
        """(name, what is changed) of wrong answers that people give, not of those that only move a bound."""
        found = []
        for part in re.split(r'^== ', part_of(self.folder, 'Answers'), flags=re.M)[1:]:
            name, body = part.split('\n', 1)
            if re.match('guard-|loop-|all-ones', name) or 'expect: ^passed$' in body:
                continue
            body = re.sub(r'^(expect|seconds):.*\n', '', body, flags=re.M).strip('\n')
            lines = body.split('\n')
            shown = '\n'.join(lines if lines[0].startswith('- ') else re.sub('^ {4}', '', body, flags=re.M).split('\n'))
            found.append((name, shown if shown.count('\n') < 6 else ''))
        return sorted(found, key=lambda m: not m[1])[:MISTAKES]


def checks():
    found = {}
    for line in read(*CHECKS.split('/')).splitlines():
        row = json.loads(line)
        if 'exercise' in row:
            found[row['exercise'], row['answer']] = row
    return found


def words_needed(exercises):
    """The glossary's entries that the statements speak of."""
    text = ' '.join(e.statement for e in exercises).lower()
    found = []
    for terms, meaning in re.findall(r'^\*\*([^*]+)\.\*\* (.*?)(?=\n\n)', read('docs', 'glossary.md'), re.S | re.M):
        if any(re.search(r'\b%ss?\b' % re.escape(term.strip().lower()), text) for term in terms.split(',')):
            found.append('**%s.** %s' % (terms, re.sub(r' \([\d, ]+\)$', '', ' '.join(meaning.split()))))
    return found[:8]


def pages_of(reading):
    """The pages of a cell of the course, and the minutes that they take; of "one of" several the longest."""
    pages = [page_of(link) for link in re.findall(r'\]\((.*?)\)', reading)]
    all_of = len(re.findall(r'\]\(', reading.split('one of')[0]))
    times = [about or 0 for _, _, about in pages]
    return pages, sum(times[:all_of]) + max(times[all_of:] or [0])


def list_of(reading):
    lines = ['Read before the lab: ' + bare(reading) + '.\n']
    for title, known, about in pages_of(reading)[0]:
        lines.append('* %s%s%s' % (title, ', about %d minutes' % about if about else '', '. Before it: ' + known if known else ''))
    return '\n'.join(lines)


def title(number, exercises):
    return 'Lab %d: %s' % (number, ', '.join(e.title[0].lower() + e.title[1:] if i else e.title for i, e in enumerate(exercises)))


def handout(number, reading, exercises, question, seed):
    out = ['<div class="name">Name: ______________________%s</div>' % (' &nbsp; Class: ' + html.escape(seed) if seed else '')]
    out.append(as_html('# %s\n\nTwo hours at a computer. No GPU is needed.\n\n## Goal\n\nYou will learn\n\n%s\n\n## What you must know\n\n'
                       '%s\n' % (title(number, exercises), '\n'.join(
                           '* ' + ' '.join(e.parts['You will learn'].split()) for e in exercises), list_of(reading))))
    words = words_needed(exercises)
    if words:
        out.append(as_html('### Words\n\n' + '\n\n'.join(words)))
    out.append(as_html(
        '## How to work\n\n`./ladder lab start EX` makes a file in `lab/`. Write between its marks. `./ladder lab check` compiles it, tries it '
        'on sizes that differ each time, and says what is wrong. `./ladder lab hint` helps a little, three times at most. Hand in the '
        'folder `lab/`.'))
    for place, e in enumerate(exercises):
        out.append(as_html('## Task %d: %s\n\n`./ladder lab start %s`\n\n%s\n\n**Target.** %s\n\n**Points.** %s' % (
            place + 1, e.title, e.name, e.parts['The task'], e.parts['The target'], e.parts['Points'])))
        if 'Your variant' in e.parts:
            out.append(as_html('**Your variant.** ' + e.parts['Your variant']))
        out.append('<pre>%s</pre>' % html.escape(region_and_frame(e.stub)))
    out.append('<h2>Questions</h2>')
    asked = [q for e in exercises for q in e.questions] + [question]
    lines = 3 if len(asked) < 7 else 2
    for place, q in enumerate(asked):
        out.append('<div class="question"><p>%d. %s</p>%s</div>' % (place + 1, in_line(q), '<div class="line"></div>' * lines))
    return '\n'.join(out)


def teachers(number, reading, exercises, question, seed, said):
    total = sum(minutes(e.name, CLASS) for e in exercises)
    rows = []
    for e in exercises:
        wrong = [row['seconds'] for (name, answer), row in said.items() if name == e.name and answer not in ('stub', 'solution')]
        rows.append('| %s | %d | %.1f | %.1f | %.1f |' % (e.name, minutes(e.name, CLASS), said[e.name, 'stub']['seconds'],
                                                         said[e.name, 'solution']['seconds'], max(wrong)))
    out = [as_html(
        '# %s\n\nFor the teacher: answers are in it.%s\n\n## Time\n\nReading before the lab: %d minutes. In the lab: %d minutes to begin, '
        '%d for the exercises, and %d to discuss. These are estimates: 80 words of statement and hints a minute, two minutes for each '
        'line asked for.\n\n| exercise | minutes | check of the stub, s | of a right answer, s | slowest of a wrong one, s |\n'
        '| --- | --- | --- | --- | --- |\n%s\n\nThe seconds were measured on two cores of an AMD EPYC that did other work, too. The first check builds '
        'what it needs, half a minute more.' % (
            title(number, exercises), ' Class %s.' % seed if seed else '', pages_of(reading)[1], BEGIN, total,
            LAB_MINUTES - BEGIN - total, '\n'.join(rows)))]
    out.append(as_html('## To discuss at the end\n\n%s' % question))
    for e in exercises:
        out.append(as_html('## %s: %s\n\n**Points.** %s' % (e.name, e.title, e.parts['Points'])))
        out.append('<h3>Typical mistakes</h3><table><tr><th>mistake</th><th>the change</th><th>what the check says</th></tr>')
        for name, change in e.mistakes():
            row = said.get((e.name, name))
            out.append('<tr><td style="width: 20%%">%s</td><td style="width: 36%%">%s</td><td>%s</td></tr>' % (
                name.replace('-', ' '), '<code>%s</code>' % html.escape(change).replace('\n', '<br>') if change else 'another way to do it',
                html.escape(row['says']) if row else ''))
        out.append('</table>' + ('<p>Tried with tiles of the first variant; a class may have another.</p>' if seed else ''))
        out.append(as_html('### Hints\n\n' + '\n'.join('%d. %s' % (i + 1, h) for i, h in enumerate(hints_of(e.folder)))))
        out.append('<h3>A right answer</h3><pre>%s</pre>' % html.escape(region_and_frame(e.solution)))
        out.append(as_html('### Answers to the questions\n\n' + e.answers()))
    return '\n'.join(out)


def main():
    build, seed = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ''
    try:
        import markdown  # noqa: F401
        import pypdf
    except ImportError:
        pypdf = None
    program = pdf.chromium.find()
    if not program or not pypdf:
        print('Handouts need Chromium, pypdf and Markdown (Debian: apt-get install chromium python3-pypdf python3-markdown).',
              file=sys.stderr)
        return 3
    folder, status, said = os.path.join(build, 'docs', 'handouts'), 0, checks()
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, pdf.chromium.Browser(program) as browser:
        browser.show(True)
        for number, reading, names, question in labs():
            exercises = [Exercise(build, scratch, name, seed) for name in names]
            for suffix, text in (('', handout(number, reading, exercises, question, seed)),
                                 ('-teacher', teachers(number, reading, exercises, question, seed, said))):
                path = os.path.join(folder, 'lab-%d%s.pdf' % (number, suffix))
                paper = pypdf.PdfReader(io.BytesIO(pdf.printed_text(browser, os.path.join(scratch, 'page.html'), STYLE + text)))
                out = pypdf.PdfWriter()
                for place, page in enumerate(paper.pages):
                    out.add_page(page)
                    pdf.with_number(out, out.pages[place], place + 1)
                out.add_metadata({'/Title': title(number, exercises)})
                with open(path, 'wb') as file:
                    out.write(file)
                print('%s: %d pages' % (path, len(paper.pages)), file=sys.stderr)
                if not suffix and len(paper.pages) > MOST:
                    print('A handout has at most %d pages.' % MOST, file=sys.stderr)
                    status = 1
    return status


if __name__ == '__main__':
    sys.exit(main())
