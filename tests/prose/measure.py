#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""measure.py FILE...: holds the chapters and pages to the measure they are written to.

Printed for each fault is FILE:LINE: what is wrong and what to do about it. Exit status: 0 none, 1 some, 2 bad usage, 3 a file
that cannot be read.

- In every file: a sentence of more than 35 words; a table whose rows do not have the cells of its headline (usually an
  unescaped |); a link or a picture to a file that is not there; the name of such a file in code; a command of a step with an
  option, a variant or a program that its sources no longer have. A row, a caption with a date or a paragraph that says
  "earlier" or "commit" may name what is gone.
- In a chapter, steps/NN-xx/README.md: 1,200 to 3,000 words of prose; the seven headings in their order; above them "You should
  know" and the time; a last paragraph that links to the next chapter, where there is one; no table of more than eight rows or
  six columns; no code of more than forty lines in one piece.
- In a step's files: a table of counts by the rules of 2008 is followed by one by today's.

A long sentence, table or piece of code that is meant to be so has `<!-- long: the reason -->` on the line before its
paragraph."""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(f"{ROOT}/tools/paper")
from commands import gone  # noqa: E402

SENTENCE, FEWEST, MOST = 35, 1200, 3000  # words: of a sentence, of prose in a chapter
ROWS, COLUMNS, CODE = 8, 6, 40  # of a table, and lines of code in one piece, in a chapter
HEADINGS = ["The idea", "Picture", "What it should cost", "The code", "What it does cost", "Why the difference", "Exercises"]
PAST = re.compile(r"\bearlier\b|\bcommit\b|[0-9]{4}-[0-9]{2}-[0-9]{2}; ")  # what is said of the past
FILE = re.compile(r"`((?:cmake|common|docs|exercises/[0-9]|simgpu|steps|tests|tools)[^`\s]*/[^`\s]*)`")
ABBREVIATIONS = "al.", "e.g.", "i.e.", "vs.", "Fig.", "No.", "Alg.", "St."


def read_aloud(text):
    """Leaves of Markdown a link's words, and one word for a piece of code."""
    return re.sub(r"`[^`]*`|\]\([^)]*\)|\]\[[^\]]*\]|[\[\]*]|!(?=\[)", lambda found: "X" if found[0][0] == "`" else "", text)


def ends(word, following):
    """Whether a sentence ends with `word`; "" follows the last one."""
    if not word.rstrip(")\"'").endswith((".", "!", "?")) or word in ABBREVIATIONS:
        return False
    return not following or not re.match(r"[a-z!#-&*-/:-@\[-`{-~]", following)


class Reader:
    def __init__(self, path):
        self.path, self.chapter = path, re.search(r"(^|/)steps/(?!.*/steps/).*/README\.md$", path)
        self.number = self.faults = self.words = self.headings = self.rows = self.cells = self.starts = 0
        self.knows = self.allowed = False  # "You should know" was there; a mark allows what follows to be long
        self.paragraph, self.last = "", ""  # the one that is read, and the last complete one
        self.code = None  # the line where code begins
        self.counted = 0  # the line of a table of counts that waits for the one by today's rules

    def fault(self, line, what):
        print(f"{self.path}:{line}: {what}")
        self.faults += 1

    def check_names(self, lines):
        """The commands and files that a row of a table or a paragraph names, in text or code, are there."""
        start = 0
        for end, line in enumerate(lines + [""]):
            if line.strip() and not line.startswith("|") and end < len(lines):
                continue
            part = lines[start:end + 1]
            for number, one in enumerate([] if PAST.search(" ".join(part)) else part, start + 1):
                if re.match(r"\[[^ ]*\]: |<!--", one):
                    continue
                for word in gone(one):
                    self.fault(number, f"a command with {word}, which the step no longer has; name another, or say that it is of an earlier version")
                for path in FILE.findall(one):
                    if re.search("[*<{…]|NN|MACHINE", path):
                        continue
                    if not any(os.path.exists(os.path.join(folder, path)) for folder in (ROOT, os.path.dirname(self.path))):
                        self.fault(number, f"a file that is not there: {path}")
            start = end + 1

    def end_paragraph(self):
        if not self.paragraph:
            return
        self.last = self.paragraph
        if self.paragraph.startswith("You should know: "):
            self.knows = "minutes." in self.paragraph or "hour" in self.paragraph
        words, sentence = read_aloud(self.paragraph).split(), []
        for word, following in zip(words, words[1:] + [""]):
            sentence.append(word)
            if not ends(word, following) and following:
                continue
            count = sum(bool(re.search("[A-Za-z0-9]", one)) for one in sentence)
            self.words += count
            if count > SENTENCE and not self.allowed:
                self.fault(self.starts, f"a sentence of {count} words; make two of it: {' '.join(sentence[:8])}")
            sentence = []
        self.paragraph, self.allowed = "", False

    def end_table(self):
        rows = self.rows - 2  # without the headline and the line below it
        if self.cells and self.chapter and not self.allowed:
            if rows > ROWS:
                self.fault(self.starts, f"a table of {rows} rows; more than 8 go to appendix.md")
            if self.cells > COLUMNS:
                self.fault(self.starts, f"a table of {self.cells} columns; more than 6 go to appendix.md")
        self.allowed = self.allowed and not self.cells
        self.cells = self.rows = 0

    def read_row(self, text):
        cells = len(re.findall(r"(?<!\\)\|", text)) - 1
        if not self.cells:
            self.cells, self.starts = cells, self.number
        elif cells != self.cells:
            self.fault(self.number, f"a row of a table: {cells} cells, the headline has {self.cells}; write a | that is no border as \\|")
        self.rows += 1

    def read_heading(self, text):
        if text not in HEADINGS:
            return
        if HEADINGS.index(text) != self.headings:
            self.fault(self.number, f"a heading out of order: {text}")
        if text == HEADINGS[0] and not self.knows:
            self.fault(self.number, 'no "You should know: ... About N minutes." above this heading')
        self.headings = HEADINGS.index(text) + 1

    def read_fence(self):
        self.end_paragraph()
        self.end_table()
        if self.code is None:
            self.code = self.number
            return
        lines = self.number - self.code - 1
        if self.chapter and lines > CODE and not self.allowed:
            self.fault(self.code, f"{lines} lines of code in one piece; 40 are the most")
        self.code, self.allowed = None, False

    def read_mark(self, mark):
        """A mark of tools/scripts/chapters; "" at the end of the file."""
        if self.counted and " today" not in mark:
            self.fault(self.counted, "no table by today's rules follows: "
                       "<!-- table docs/results/simulated/today.jsonl today step=NN-name -->")
        self.counted = self.number if " counts" in mark and re.search(r"(^|/)steps/", self.path) else 0

    def read_line(self, line):
        text = line.lstrip(" ")
        if text.startswith("```"):
            self.read_fence()
            return
        if self.code is not None or re.match(r"\[[^ ]*\]: ", line):  # [name]: where a reference leads; see claims.py
            return
        for target in re.findall(r"\]\(([^#) ]+)", line):  # links and pictures: [words](file#place), relative to the page
            path = os.path.join(os.path.dirname(self.path), target)
            if not target.startswith(("http", "mailto:")) and not os.path.exists(path):
                self.fault(self.number, f"a link to a file that is not there: {path}")
        if text.startswith("|"):
            self.end_paragraph()
            self.read_row(text)
            return
        self.end_table()
        item = re.match(r"[*-] |[0-9]+\. ", text)
        if item or not text or text.startswith(("<!--", "#")):
            self.end_paragraph()
        if text.startswith("<!--"):
            self.allowed = self.allowed or text.startswith("<!-- long: ")
            if text.startswith("<!-- table "):
                self.read_mark(text)
        elif text.startswith("## ") and self.chapter:
            self.read_heading(text[3:])
        elif text and not text.startswith("#") and (self.paragraph or not text.startswith("![")):  # a picture is no text
            self.starts = self.starts if self.paragraph else self.number
            self.paragraph += re.sub(r"^([*-] |[0-9]+\.)", "", text) + "\n"

    def read(self, lines):
        self.check_names(lines)
        for self.number, line in enumerate(lines, 1):
            self.read_line(line)
        self.end_table()
        self.end_paragraph()
        self.read_mark("")
        if self.chapter:
            self.end_chapter()

    def end_chapter(self):
        if not FEWEST <= self.words <= MOST:
            self.fault(1, f"{self.words} words of prose; a chapter has {FEWEST} to {MOST}")
        if self.headings != len(HEADINGS):
            self.fault(1, "the seven headings of a chapter are not all there")
        steps, own = os.path.split(os.path.dirname(self.path))
        following = min((name for name in os.listdir(steps) if name > own), default=None)
        if following and f"(../{following}/README.md)" not in self.last:
            self.fault(self.number, f"the last paragraph does not lead to the next chapter: (../{following}/README.md)")


def main(paths):
    if not paths:
        print("usage: measure.py FILE.md...", file=sys.stderr)
        return 2
    faults = 0
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                reader = Reader(path)
                reader.read(file.read().splitlines())
        except OSError:
            print(f"measure.py: {path} cannot be read; run it from the repository's root", file=sys.stderr)
            return 3
        faults += reader.faults
    print(f"{len(paths)} files, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
