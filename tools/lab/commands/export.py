#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""export.py ROOT TEXTS OUT GRADER SEED EXERCISE...: ./ladder lab export, which calls this. Makes a folder, or an archive, for the
students of a course: the exercises without their answers, the sources that check, and the chapters, whose listings leave out
what an exercise asks for. TEXTS has a folder for each exercise, written by the lab in the variant of this class (SEED): README.md,
check.md, source.c or source.cu as it is handed out, and stub and solution.

Answers are recognised by their tokens: a file that has the same ones in the same order as a solution gives it away. In a listing of
a chapter the names may differ. Exit status: 0, or 3 with a message if something is missing."""
import functools
import itertools
import os
import re
import shutil
import stat
import sys
import tempfile

# What students get besides exercises and chapters; a folder includes all its files.
ALWAYS = ('LICENSE', 'CMakeLists.txt', 'CITATION.cff', 'ladder', 'cmake', 'common', 'simgpu/simgpu.cmake', 'simgpu/simgpu.h',
          'simgpu/include', 'simgpu/src', 'simgpu/tools', 'tools/lab', 'exercises/CMakeLists.txt', 'exercises/apart.c', 'exercises/apart.h',
          'exercises/questions.c', 'exercises/questions.h',
          *('tools/scripts/' + name for name in ('build', 'explain', 'install', 'similar', 'usage.txt')),
          *(f'docs/{name}.md' for name in ('cuda-primer', 'glossary', 'row-major', 'floating-point', 'measuring-time', 'count-tables',
                                           'simulated-gpu', 'launch-errors')))
COMMANDS = {'lab', 'explain', 'sim'}  # of ./ladder, which work in the handout
GRADERS = {'gradescope': ('setup.sh', 'run_autograder'), '': ()}
FIRST_PAGE = '''# Exercises: %s

Begin with `./ladder lab list`, then `./ladder lab start EX`. It says what to read and what to edit.
`./ladder lab check` compiles your answer and tries it; `./ladder lab hint` helps.
On a bare Debian or Ubuntu the first command asks before it installs a compiler, CMake and Ninja.

Hand in the folder `lab/`.
'''
KEYWORDS = {'if', 'else', 'for', 'while', 'do', 'return', 'break', 'continue', 'sizeof'}
TOKEN = re.compile(r'/\*.*?(?:\*/|\Z)|//[^\n]*|(\w+|\S)', re.S | re.A)
GIVEN_AWAY = 0.5


def read(*path):
    try:
        with open(os.path.join(*path), encoding='utf-8', errors='surrogateescape', newline='') as file:
            return file.read()
    except OSError:
        sys.exit(fail(f'{os.path.join(*path)} cannot be read'))


def fail(what):
    print('lab: ' + what, file=sys.stderr)
    return 3


def tokens(code, names):
    """C's tokens without comments, and their lines. Without `names` all names are alike, and all numbers."""
    found, line, last = [], 0, 0
    for match in TOKEN.finditer(code):
        word = match.group(1)
        if word:
            line, last = line + code.count('\n', last, match.start()), match.start()
            if not names and re.match(r'\w', word, re.A) and word not in KEYWORDS and not word.startswith('__'):
                word = '0' if word[0].isdigit() else 'a'
            found.append((word, line))
    return found


def windows(code, length, names):
    """All runs of `length` consecutive tokens."""
    words = [word for word, _ in tokens(code, names)]
    return list(zip(*(words[i:] for i in range(length))))


class Asked:
    """An exercise that is handed out, and the windows that only its solution has."""

    def __init__(self, texts, name):
        self.name, self.folder = name, os.path.join(texts, name)
        self.solution, stub = read(self.folder, 'solution'), read(self.folder, 'stub')
        self.exact, self.shape = (self.without(windows(self.solution, *kind), windows(stub, *kind)) for kind in ((8, True), (20, False)))

    @staticmethod
    def without(all_of, those):
        those = set(those)
        return [window for window in all_of if window not in those]

    def is_given_away(self, there):
        """Whether a source with these windows contains most of the answer."""
        return self.exact and sum(window in there for window in self.exact) >= GIVEN_AWAY * len(self.exact)


class Handout:
    def __init__(self, root, out, asked):
        self.root, self.out, self.asked, self.files = root, out, asked, {}
        self.list_all()
        given_away = [exercise for exercise in asked if self.gives_away(exercise)]
        self.asked = [exercise for exercise in asked if exercise not in given_away]
        self.list_all()
        for file in self.files:  # loops that every student's sources contain need not be hidden in a chapter
            if file.startswith('common/'):
                known = windows(read(root, file), 20, False)
                for exercise in self.asked:
                    exercise.shape = Asked.without(exercise.shape, known)

    # ---- files ----

    def list_files(self, file):
        """Adds a file, or a folder with all that is in it."""
        path = os.path.join(self.root, file)
        if os.path.isdir(path):
            for name in sorted(os.listdir(path)):
                if not name.startswith('.'):
                    self.list_files(file + '/' + name)
        elif os.path.isfile(path):
            self.files.setdefault(file)

    def list_includes(self, code):
        """Adds what a source includes by its path from the root, and what that includes."""
        for file in re.findall(r'#include "([^"\n]*)', code):
            if file not in self.files and os.path.exists(os.path.join(self.root, file)):
                self.list_files(file)
                self.list_includes(read(self.root, file))

    def list_all(self):
        """Lists all that students get except the exercises' own files."""
        self.files = {}
        for file in ALWAYS:
            self.list_files(file)
        for exercise in self.asked:
            self.list_includes(exercise.solution)
            for chapter in re.findall(r'\(\.\./\.\./(steps/[^#)]*)', read(exercise.folder, 'README.md')):
                self.list_files(chapter)

    def put(self, file, content):
        path, original = os.path.join(self.out, file), os.path.join(self.root, file)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8', errors='surrogateescape', newline='') as made:
            made.write(content)
        if os.path.exists(original):
            os.chmod(path, stat.S_IMODE(os.stat(original).st_mode) & 0o777)

    @functools.lru_cache(maxsize=None)
    def windows_of(self, file):
        return set(windows(self.source(file), 8, True))

    def gives_away(self, exercise):
        """If the helpers of the exercises hold the answer, this one is left out."""
        file = next((file for file in self.files if not file.endswith('.md') and exercise.is_given_away(self.windows_of(file))), None)
        if file:
            fail(f'{exercise.name} is left out: {file}, which an exercise here includes, holds its answer')
        return file

    def source(self, file):
        """A source. That of a step is without the regions that a chapter shows and that are an exercise's answer."""
        code, begin = read(self.root, file), 0
        if file == 'tools/scripts/usage.txt':
            return re.sub(r'^  ([a-z]+) .*\n(?:    .*\n)*', lambda command: command[0] if command[1] in COMMANDS else '', code, flags=re.M)
        while file.startswith('steps/') and (begin := code.find('/// [', begin)) >= 0:
            line = code[begin:].split('\n', 1)[0]
            end = code.find(line, begin + 1) + len(line)
            if end < begin + len(line):
                break
            there = set(windows(code[begin:end], 8, True))
            if any(exercise.is_given_away(there) for exercise in self.asked):
                code = code[:begin] + code[end:]
            else:
                begin = end
        return code

    # ---- pages ----

    def relinked(self, page, line):
        """A line of a page, in which links to pages that are not handed out become plain text. Its pictures are handed out."""
        return re.sub(r'\[((?:[^][]|\[[^]]*\])*)\]\(([^)]*)\)', lambda link: link[0] if self.is_known(page, link[2]) else link[1], line)

    def is_known(self, page, target):
        file = os.path.normpath(os.path.join(os.path.dirname(page), target.split('#')[0]))
        if target.startswith('#') or '://' in target or file in self.files:
            return True
        if not file.endswith('.svg') or not os.path.exists(os.path.join(self.root, file)):
            return False
        self.put(file, read(self.root, file))
        return True

    def marks(self, listing):
        """{line of a listing that is part of an answer: the exercise's name}"""
        found, marked = tokens(listing, False), {}
        for exercise in self.asked:
            shape = set(exercise.shape)
            for i, run in enumerate(windows(listing, 20, False)):
                if run in shape:
                    marked.update(dict.fromkeys(range(found[i][1], found[i + 19][1] + 1), exercise.name))
        return marked

    def page(self, page, text):
        """A page without the answers."""
        made, lines = [], iter(text.removesuffix('\n').split('\n'))
        for line in lines:
            made.append(self.relinked(page, line))
            if line.startswith('```'):
                listing = list(itertools.takewhile(lambda line: not line.startswith('```'), lines))
                marked = self.marks('\n'.join(listing))
                for at, code in enumerate(listing):
                    if at not in marked:
                        made.append(code)
                    elif at - 1 not in marked:
                        made.append(f'/* ... left out: exercise {marked[at]} asks for it */')
                made.append('```')
        return '\n'.join(made) + '\n'

    # ---- all of it ----

    def write(self, seed, grader):
        for file in self.files:
            if not (file.startswith('exercises/') and file.endswith('README.md')):
                self.put(file, self.page(file, read(self.root, file)) if file.endswith('.md') else self.source(file))
        for exercise in self.asked:
            folder, source = 'exercises/' + exercise.name, next(name for name in os.listdir(exercise.folder) if name.startswith('source.'))
            self.put(folder + '/README.md', self.page(folder + '/README.md', read(exercise.folder, 'README.md')))
            self.put(f'{folder}/{source}', read(exercise.folder, source))
            # The goals and the first two hints: the third one nearly is the answer, and answers follow it.
            check, third, _ = read(exercise.folder, 'check.md').partition('\n### 3')
            self.put(folder + '/check.md', check if third else '')
        self.put('README.md', FIRST_PAGE % ', '.join(exercise.name for exercise in self.asked))
        os.chmod(os.path.join(self.out, 'README.md'), 0o644)
        self.put('exercises/class', seed + '\n')
        for file in GRADERS[grader]:
            self.put(file, read(self.root, 'docs/classroom', file))
            os.chmod(os.path.join(self.out, file), 0o755)


def main():
    root, texts, out, grader, seed, *names = sys.argv[1:]
    archive = out.endswith(('.zip', '.tar.gz'))
    folder = tempfile.mkdtemp() if archive else out
    try:
        handout = Handout(root, folder, [Asked(texts, name) for name in names])
        if not handout.asked:
            return fail('no exercise is left')
        handout.write(seed, grader)
        if archive:
            os.stat(os.path.dirname(out))  # else the folder would be made
            shutil.make_archive(re.sub(r'\.(zip|tar\.gz)$', '', out), 'zip' if out.endswith('.zip') else 'gztar', folder)
        shown = os.path.relpath(out, root) if out.startswith(root + '/') else out
        print(f'{len(handout.asked)} exercise{"s" * (len(handout.asked) != 1)}, {len(handout.files)} files: {shown}', file=sys.stderr)
    except OSError as error:
        return fail(f'cannot write into {out}: {error.strerror}')
    finally:
        if archive:
            shutil.rmtree(folder)
    return 0


if __name__ == '__main__':
    sys.exit(main())
