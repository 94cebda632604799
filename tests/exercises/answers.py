# SPDX-License-Identifier: MIT
"""Answers to exercises: reads them from check.md, cheats/*.cheats and mistakes/*.txt, makes them of the solutions, and checks them.

    answers.py gate BUILD EXERCISE [N]      an exercise is sound; every N-th answer is checked, from the first one on
    answers.py refused BUILD FILE [N]       each cheat or mistake in FILE is rejected, and for its own reason; every N-th is checked
    answers.py make FILE SOLUTION FOLDER    writes the answers as FOLDER/NAME.made; prints each name, a tab, and what to expect
    answers.py coverage                     every step has an exercise, whose parts are all there

    == NAME                begins an answer. What it does not change is as in the solution.
    == NAME in EXERCISE    the same, in a file of answers to several exercises
    expect: REGEX          a line of what the check must say, an extended regular expression
    seconds: N             how long it may run: for an answer that never ends
    - TEXT                 an edit: this text is replaced wherever it occurs between the marks ...
    + TEXT                 ... by this one; where no such line follows, the whole line is removed
    anything else          a region: these lines are put between the solution's first two marks

An answer has either edits or a region. Nothing in TEXT is special; several lines that begin with + become several lines. Above
the first answer there may be comments, which begin with #. A cheat's edits work outside the marks, too; its line @MULTIPLY@ is
replaced by a right product, on the processor, and with @ZERO@ in it each @ becomes a zero byte.

Sizes and the first run's numbers are drawn with a fixed seed; GATE_SEED sets another (the quadrant of the first wrong element
may then be another one, too). The timed run multiplies numbers that nobody can foresee, so an exercise must reject a wrong
answer whatever they are. GATE_RECORD names a file to which the gate adds each check, with its seconds and what it said:
docs/results/epyc-2/lab-checks.jsonl was made so."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GUESSES = re.compile(r'[Uu]sually|[Pp]erhaps|[Pp]robably|too few blocks|[Dd]oes every|is missing or|could be joined|\?$', re.M)
MULTIPLY = '''for (long i_ = 0; i_ < m; i_++)
    for (long j_ = 0; j_ < n; j_++) {
        c[i_ * p.c.ld + j_] = 0;
        for (long l_ = 0; l_ < k; l_++)
            c[i_ * p.c.ld + j_] += a[i_ * p.a.ld + l_] * b[l_ * p.b.ld + j_];
    }'''.split('\n')
problems = 0


def problem(what):
    global problems
    problems += 1
    print('PROBLEM:', what)


def read(*path):
    with open(os.path.join(*path), encoding='utf-8') as file:
        return file.read()


def part_of(page, part):
    """The lines below "## PART", without the fences of code."""
    found = re.search(r'^## %s\n(.*?)(?=^## |\Z)' % part, page, re.M | re.S)
    return re.sub(r'^```.*\n', '', found[1], flags=re.M) if found else ''


class Answer:
    def __init__(self, heading):
        words = heading.split()
        if len(words) not in (2, 4) or (len(words) == 4 and words[2] != 'in'):
            problem("what is '%s'?" % heading)
        self.name, self.where = words[1], words[-1]
        self.expected, self.seconds, self.body = '', '', []

    @property
    def has_edits(self):
        return bool(self.body) and self.body[0].startswith('- ')

    def made(self, solution, everywhere=False):
        """The answer's text, and the solution's lines that it edits."""
        lines, region, edited = solution.split('\n'), 0, []
        if not ''.join(self.body).strip():
            problem(self.name + ': it has neither edits nor a region')
        if not self.has_edits:
            begin, end = (next(i for i, line in enumerate(lines) if mark in line) for mark in ('/* YOUR CODE', '/* END */'))
            return '\n'.join(lines[:begin + 1] + self.body + lines[end:]), edited
        inside = []
        for line in lines:
            region = region and '/* END */' not in line
            inside.append(region or everywhere)
            region = region or '/* YOUR CODE' in line
        for old, new in self.edits():
            hit = [i for i, line in enumerate(lines) if inside[i] and line is not None and old and old in line]
            if not hit or old == new:
                problem("%s: '- %s' changes nothing" % (self.name, old))
            for i in hit:
                edited.append(solution.split('\n')[i])
                lines[i] = None if new is None else lines[i].replace(old, new)
        return '\n'.join(line for line in lines if line is not None), edited

    def edits(self):
        """(what is replaced, what by: None without a line that begins with +)"""
        made = []
        for line in self.body:
            if line.startswith('- '):
                made.append([line[2:], None])
            elif line == '+' or line.startswith('+ '):
                made[-1][1] = line[2:] if made[-1][1] is None else made[-1][1] + '\n' + line[2:]
            elif line:
                problem("%s: '%s' is no edit" % (self.name, line))
        return made


def answers_in(text):
    found = []
    for line in text.rstrip('\n').split('\n'):
        key, _, value = line.partition(': ')
        if line.startswith('== '):
            found.append(Answer(line))
        elif found and key in ('expect', 'seconds'):
            setattr(found[-1], {'expect': 'expected'}.get(key, key), value)
        elif found:
            found[-1].body.append(line)
        elif line and not line.startswith('#'):
            problem("no answer has begun before '%s'" % line)
    for answer in found:
        while answer.body and not answer.body[-1]:
            answer.body.pop()
    return found


def matches(pattern, said):
    """The first line that matches, or None."""
    pattern = re.compile(pattern.replace('[:space:]', r'\s'))
    return next((line for line in said.split('\n') if pattern.search(line)), None)


class Lab:
    """./ladder lab, with a learner's folder of its own."""

    def __init__(self, build, work):
        self.program, self.work = os.path.join(build, 'bin', 'lab'), work
        self.environment = dict(os.environ, LADDER_BUILD=build, LADDER_LAB_BUILT='yes', LADDER_LAB=os.path.join(work, 'lab'),
                                OMP_WAIT_POLICY='passive', COLUMNS='1000')

    def says(self, *words, seconds=''):
        """What it prints, and its status."""
        ran = subprocess.run([self.program, *words], env=dict(self.environment, LADDER_LAB_SECONDS=seconds), stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8', errors='replace', check=False)
        return ran.stdout.rstrip('\n'), ran.returncode

    def put(self, name, text):
        path = os.path.join(self.work, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        return path

    def solution(self, exercise):
        return self.says('solution', exercise, '--anyway')[0] + '\n'


def suffix_of(folder):
    return 'cu' if os.path.exists(os.path.join(folder, 'source.cu')) else 'c'


def refused(lab, file, every):
    """Of a mistake the check says only what is proven to be its cause."""
    answers, checked, solutions = answers_in(read(file)), 0, {}
    cheats = file.endswith('.cheats')
    for answer in answers[every - 1::every]:
        checked += 1
        solution = solutions.setdefault(answer.where, lab.solution(answer.where))
        answer.body = [line for part in answer.body for line in (MULTIPLY if '@MULTIPLY@' in part else [part])]
        text = answer.made(solution, cheats)[0]
        path = lab.put('cheat.' + suffix_of(os.path.join(ROOT, 'exercises', answer.where)), text.replace('@', '\0') if '@ZERO@' in text else text)
        said, status = lab.says('check', answer.where, path, '--seed', '1', '--no-gpu', seconds=answer.seconds)
        if status != 1 or not matches(answer.expected, said):
            problem('%s: status %d, expected 1 and: %s\n%s\n' % (answer.name, status, answer.expected, said))
        guess = not cheats and GUESSES.search('\n'.join(line for line in said.split('\n') if 'did you mean' not in line))
        if guess:
            problem('%s: this is a guess: %s' % (answer.name, guess[0]))
    print('%d answers, %d of them checked, %d problems' % (len(answers), checked, problems))
    return len(answers) > 10


def gate(lab, exercise, every):
    """An exercise is sound when its stub compiles and fails, its solution passes without a warning, three hints help, each loop's
    bound is edited in a wrong answer, and every wrong answer is rejected for the reason given with it. A right answer that is
    written in another way (`expect: ^passed$`) passes."""
    folder = os.path.join(os.environ.get('LADDER_EXERCISES') or os.path.join(ROOT, 'exercises'), exercise)
    page, suffix = read(folder, 'check.md'), suffix_of(folder)
    source = read(folder, 'source.' + suffix)

    def check(name, path, expected, status):
        """Checks an answer; `expected` is what a line must say."""
        began = time.monotonic()
        print('---- %s: expect: %s' % (name, expected))
        said, ended = lab.says('check', exercise, path, '--seed', os.environ.get('GATE_SEED', '1'))
        print(said + '\n')
        if ended != status:
            problem('%s ends with status %d, expected %d' % (name, ended, status))
        if 'does not compile' in said:
            problem(name + ' does not compile')
        line = matches(expected, said)
        if line is None:
            problem("%s: no line matches '%s'" % (name, expected))
        if os.environ.get('GATE_RECORD') and expected != '^passed$':  # right answers are not recorded
            row = {'exercise': exercise, 'answer': name, 'seconds': round(time.monotonic() - began, 3), 'status': ended,
                   'says': (line or '').replace(path.rsplit('.', 1)[0], 'exercise').lstrip()}
            with open(os.environ['GATE_RECORD'], 'a', encoding='utf-8') as record:
                record.write(json.dumps(row, ensure_ascii=False, separators=(',', ':')) + '\n')
        return said

    points = re.search(r'^%s (.*)$' % exercise, lab.says('list', '--points')[0], re.M)
    if not points or '**Points.** %s.' % points[1] not in read(folder, 'README.md').replace('\n', ' '):
        problem('the README does not say: **Points.** %s.' % (points and points[1]))
    if len(re.findall('^### ', part_of(page, 'Hints'), re.M)) != 3:
        problem('not three hints')
    if [line for line in source.split('\n') if re.search(r'/\* (YOUR CODE|STUB)', line) and '*/' not in line]:
        problem('a mark does not end on its line')
    if lab.says('start', exercise)[1] != 0:
        problem('no stub can be made of its source')
    solution = lab.solution(exercise)
    if 'outside the marked regions' in check('stub', os.path.join(lab.work, 'lab', exercise, 'exercise.' + suffix), 'not yet', 1):
        problem('the stub has no marked regions')
    if 'warning:' in check('solution', lab.put('solution.' + suffix, solution), '^passed', 0):
        problem('the solution compiles with warnings')

    answers, edited, checked = answers_in(part_of(page, 'Answers')), set(), 0
    wrong = [answer for answer in answers if answer.expected != '^passed$']
    for at, answer in enumerate(answers):
        text, lines = answer.made(solution)
        if answer in wrong:
            edited.update(lines)
        if not answer.expected:
            problem(answer.name + ': it says not what to expect')
        if any(answer.name == other.name for other in answers[:at]):
            problem('two answers are named ' + answer.name)
        if at % every == 0:
            checked += 1
            check(answer.name, lab.put('answers/%s.%s' % (answer.name, suffix), text), answer.expected, answer in wrong)
    if len(wrong) < 3:
        problem('%d wrong answers, expected three or more' % len(wrong))
    for region in re.findall(r'YOUR CODE.*?/\* END', solution, re.S):
        for line in region.split('\n'):
            if 'for (' in line and line not in edited:
                problem('no wrong answer edits the loop: ' + line)
    print('%s: %d wrong answers, %d other right ones, %d of them checked, %d problems' %
          (exercise, len(wrong), len(answers) - len(wrong), checked, problems))
    return True


def make(file, solution, folder):
    for answer in answers_in(part_of(read(file), 'Answers')):
        with open(os.path.join(folder, answer.name + '.made'), 'w', encoding='utf-8') as made:
            made.write(answer.made(read(solution))[0])
        print(answer.name, answer.expected, sep='\t')
    return True


def coverage():
    """Every step has an exercise, and its chapter says how to start each of them."""
    folders = {os.path.basename(folder): folder for folder in glob.glob(os.path.join(ROOT, 'exercises', '[0-9][0-9]-*'))}
    for step in glob.glob(os.path.join(ROOT, 'steps', '[0-9][0-9]-*')):
        own = [exercise for exercise in folders if exercise[:3] == os.path.basename(step)[:3]]
        for exercise in own:
            if '\n./ladder lab start %s ' % exercise not in read(step, 'README.md'):
                problem("%s/README.md: no line './ladder lab start %s' under Exercises" % (step, exercise))
        if not own:
            problem(step + ' has no exercise')
    for folder in folders.values():
        for part in ('# [0-9][0-9] – ', r'\*\*You will learn\*\*', r'\*\*The task\.\*\*', r'\*\*The target\.\*\*', r'\*\*To answer in words\*\*', r'2\. '):
            if not re.search('^' + part, read(folder, 'README.md'), re.M):
                problem("%s/README.md: no line '%s'" % (folder, part))
        if sorted(os.listdir(folder)) not in (['README.md', 'check.md', 'source.c'], ['README.md', 'check.md', 'source.cu']):
            problem(folder + ': a file is missing, or one that belongs to no exercise is there')
    wrong = sum(answer.expected != '^passed$' for folder in folders.values() for answer in answers_in(part_of(read(folder, 'check.md'), 'Answers')))
    print('%d exercises, %d wrong answers, %d problems' % (len(folders), wrong, problems))
    return len(folders) >= 20 and wrong >= 80


def main():
    command, *words = sys.argv[1:]
    if command in ('make', 'coverage'):
        return globals()[command](*words)
    with tempfile.TemporaryDirectory(prefix='answers.') as work:
        run = {'gate': gate, 'refused': refused}[command]
        return run(Lab(words[0], work), words[1], int(words[2]) if len(words) > 2 else 1)


sys.exit(not main() or problems > 0)
