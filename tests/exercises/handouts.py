# SPDX-License-Identifier: MIT
"""handouts.py BUILD: prints the labs on paper. A handout has at most four pages and no line of an answer, which the teacher's
sheet has; what the sheets say of mistakes fits the wrong answers as they are. Skipped (77) where nothing can be printed.

And the minutes of the fast track and of the two-hour lab are by the rule of docs/ways.md."""
import os
import re
import subprocess
import sys
import tempfile

try:
    import markdown  # noqa: F401
except ImportError:  # another Python may come first on the PATH than the one that Debian's packages are for
    if sys.executable != '/usr/bin/python3' and os.path.exists('/usr/bin/python3'):
        os.execv('/usr/bin/python3', ['/usr/bin/python3'] + sys.argv)

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'docs', 'site'))
import handouts  # noqa: E402

problems = []


def squeezed(text):
    return re.sub(r'\s', '', text)


def check_fast_track():
    total = 0
    for name, said in re.findall(r'^(\S+) (\d+)$', handouts.read('exercises', 'fast-track'), re.M):
        rule = handouts.minutes(name, handouts.FAST)
        total += rule
        if int(said) != rule:
            problems.append('exercises/fast-track: %s takes %s minutes there, %d by the rule' % (name, said, rule))
    return total


def check_two_hours():
    lab = handouts.read('docs', 'ways.md').split('## A two-hour lab', 1)[1].split('\n## ', 1)[0]
    rows = re.findall(r'^\| (\d+) \| .* \| (?:`./ladder lab start (\S+)`)?.* \|$', lab, re.M)
    for said, name in rows:
        if name and int(said) != handouts.minutes(name, handouts.CLASS):
            problems.append('docs/ways.md: in the two-hour lab %s takes %s minutes, %d by the rule and on the handouts' %
                            (name, said, handouts.minutes(name, handouts.CLASS)))
    total = sum(int(said) for said, _ in rows)
    if total != handouts.LAB_MINUTES or sum(bool(name) for _, name in rows) != 2:
        problems.append('docs/ways.md: the two-hour lab: %d minutes, %s' % (total, rows))


def check_messages():
    """Each stored message is what the wrong answer's `expect` asks for."""
    for (exercise, answer), row in handouts.checks().items():
        if answer in ('stub', 'solution'):
            continue
        text = handouts.part_of(os.path.join('exercises', exercise), 'Answers')
        expected = re.search(r'^== %s\nexpect: (.*)$' % re.escape(answer), text, re.M)
        if not expected or not re.search(expected[1].strip(), row['says']):
            problems.append('%s: %s of %s is out of date' % (handouts.CHECKS, answer, exercise))


def check_paper(build):
    import pypdf
    folder = os.path.join(build, 'docs', 'handouts')
    for number, _, names, _ in handouts.labs():
        text = {}
        for suffix in ('', '-teacher'):
            paper = pypdf.PdfReader(os.path.join(folder, 'lab-%d%s.pdf' % (number, suffix)))
            text[suffix] = squeezed(''.join(page.extract_text() for page in paper.pages))
            if not suffix and len(paper.pages) > 4:
                problems.append('lab %d: %d pages' % (number, len(paper.pages)))
        given = ''  # what students get of all the lab's exercises
        for name in names:
            source = handouts.source_of(os.path.join('exercises', name))[0]
            given += squeezed(re.sub(r'(/\* YOUR CODE.*?\n).*?(/\* END)', r'\1\2', source, flags=re.S) +
                              handouts.read('exercises', name, 'README.md') + ''.join(re.findall(r'/\* STUB: (.*?)\*/', source)))
        for name in names:
            source = handouts.source_of(os.path.join('exercises', name))[0]
            lines = [squeezed(re.sub(r'/\*.*', '', line)) for line in handouts.asked_for(source)]
            lines = [line for line in lines if len(line) > 12 and line not in given]
            if not lines:
                problems.append('%s: no line of the answer to look for' % name)
            for line in lines:
                if line in text['']:
                    problems.append('lab %d gives away: %s' % (number, line))
                if line not in text['-teacher']:
                    problems.append('lab %d, the teacher\'s sheet lacks: %s' % (number, line))
            for part in ('%s' % name, 'Points'):
                if squeezed(part) not in text['']:
                    problems.append('lab %d does not say: %s' % (number, part))


def check_class(build):
    """A class's handouts have its variants: class 2 has tiles of 32 x 32 threads."""
    with tempfile.TemporaryDirectory() as scratch:
        for number, reading, names, question in handouts.labs():
            exercises = [handouts.Exercise(build, scratch, name, '2') for name in names]
            page = handouts.handout(number, reading, exercises, question, '2')
            sheet = handouts.teachers(number, reading, exercises, question, '2', handouts.checks())
            if number == 4 and not ('as[32][32]' in page and 'as[32][32]' in sheet and 'Class: 2' in page):
                problems.append('lab 4 has not the variant of class 2')


def main():
    build = os.path.abspath(sys.argv[1])
    total = check_fast_track()
    check_two_hours()
    check_messages()
    made = subprocess.run([sys.executable, os.path.join(ROOT, 'docs', 'site', 'handouts.py'), build], stderr=subprocess.PIPE, text=True)
    print(made.stderr, end='')
    if made.returncode == 0:
        check_paper(build)
        check_class(build)
    elif made.returncode != 3:
        problems.append('handouts.py ends with status %d' % made.returncode)
    for problem in problems:
        print('PROBLEM: ' + problem)
    print('The fast track: %d minutes; %d problems' % (total, len(problems)))
    return 1 if problems else 77 if made.returncode == 3 else 0


if __name__ == '__main__':
    sys.exit(main())
