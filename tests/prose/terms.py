#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""terms.py [--short MINUTES] [--page PAGE] GLOSSARY FILE...: where each term of the glossary is introduced, the files being given
in the order in which they are read. Prints a Markdown table of the terms that they use; with --page it compares the table with
that of PAGE instead. A term is introduced where it is emphasised, *half-warp*, or linked to the glossary.

--short: the same for the short climb. In each file the text above the first heading counts, and the sections that the
paragraph "**[The short climb]..." there names, each to its end or to the line "*On the short climb, skip ...". The paragraph says
how many minutes that takes, and links to the next file; all files take MINUTES at most. The paragraph "You should know: ..."
names what other chapters introduce, and is not searched.

Exit status: 0, or 1 if a file uses a term that no file up to there introduces, is wrong about the short climb, or the table of
PAGE is another; 2 bad usage, 3 a file that cannot be read."""
import argparse
import os
import re
import sys

# What is read in a minute; docs/ways.md says so, too.
WORDS_A_MINUTE, CODE_LINES_A_MINUTE, TABLE_ROWS_A_MINUTE = 80, 5, 10
REFERENCE = re.compile(r"\[[^ ]*\]: ")  # [name]: file
faults = 0


def fault(what):
    global faults
    print(what, file=sys.stderr)
    faults += 1


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        print(f"terms.py: {path} cannot be read; run it from the repository's root", file=sys.stderr)
        sys.exit(3)


class Term:
    """How it is shown: in small letters, except for an abbreviation, such as GPU or H100.
    Where it is used and introduced first: (file, line)."""

    def __init__(self, head):
        self.shown = head.lower() if head[1:2].islower() else head
        self.used = self.introduced = None
        words = r"[ \n]".join(map(re.escape, head.split(" ")))  # also in the plural and over the end of a line
        self.pattern = re.compile(rf"(?<![\w`-]){words}(?:s?es|s)?(?!\w)", re.IGNORECASE)


def terms_in(glossary):
    """"**Grid, thread block, thread.** A launch ..." has three terms."""
    return [Term(head.strip()) for heads in re.findall(r"^\*\*([^.*\n]*)", glossary, re.M) for head in heads.split(",")]


def blank(text):
    return re.sub(r"[^\n]", " ", text)


def prose_of(text):
    """Blanks out what is no prose: code, generated tables, comments, the addresses of references, the names of chapters."""
    for no_prose in (r"^ *```.*?^ *```[^\n]*", r"^<!-- table .*?^<!-- end[^\n]*", r"^(<!--|#|←|!\[|\[the ladder\]|\[[^ ]*\]: )[^\n]*",
                     r"`[^`\n]*`?|(?<=\[)\d[^\]\n]*"):
        text = re.sub(no_prose, lambda found: blank(found[0]), text, flags=re.M | re.S)
    return text


def introduces(text, begin, end):
    """Emphasised once, since bold words are no introduction, or the words of a link to the glossary: the place is between *...*
    or [...](...glossary.md)."""
    end += len(re.match("[a-z]*", text[end:])[0])
    after = re.match(r"((?!\n\n)[^*\]]){0,23}([*\]])", text[end:])
    before = re.search(r"([*\[])([^*\[\n]{0,24})\Z", text[:begin])
    if not after or not before:
        return False
    if after[2] == "*":
        return before[1] == "*" and text[end + after.end():][:1] != "*" and text[:before.start()][-1:] != "*"
    return "glossary.md" in text[end + after.end() - 1:][:40]


# ---- The short climb ----

WAYS = "docs/ways.md"


def minutes_in_ways(path):
    """What the table of the short climb says of a chapter, or None for a page that is no chapter."""
    climb = read(WAYS).partition("## The short climb")[2].partition("\n## ")[0] if path.startswith("steps/") else ""
    row = re.search(rf"^\| (\d+) \|.*\(\.\./{re.escape(path)}\)", climb, re.M)
    return row and row[1]


def minutes_of(lines):
    """How long these lines take, each one."""
    code = False
    for line in lines:
        if line.lstrip(" ").startswith("```"):
            code = not code
            yield 0
        elif code:
            yield 1 / CODE_LINES_A_MINUTE if line else 0
        elif line.startswith("|"):
            yield 1 / TABLE_ROWS_A_MINUTE
        else:
            yield 0 if line.startswith("<!--") or REFERENCE.match(line) else len(line.split()) / WORDS_A_MINUTE


def short_climb(path, text, following):
    """Blanks out what the short climb leaves out, and compares the minutes that the rest takes with what the file says.
    Returns the text and the minutes. `following` is the file to which it must lead, or None."""
    def wrong(what):
        fault(f"{path}: the short climb: {what}")

    sign = re.search(r"^\*\*\[The short climb\].*?(?=\n\n)", text, re.M | re.S)
    if not sign:
        wrong('no paragraph "**[The short climb](...)**, N minutes here: *Section* ..."')
        return text, 0
    named, says = (sign[0].count("*") - 4) // 2, re.search(r"\*\*, (\d+) minutes", sign[0])
    if not says:
        wrong("its paragraph does not say how many minutes")
    if following and f"(../{os.path.basename(os.path.dirname(following))}/README.md)" not in sign[0]:
        wrong("its paragraph does not lead to the next page")
    if path.startswith("steps/") and says and minutes_in_ways(path) != says[1]:
        wrong(f"it says {says[1]} minutes, and {WAYS} {minutes_in_ways(path)}")
    reading, code, known, seen, minutes, kept = True, False, False, 0, 0, []
    lines = text.split("\n")
    for line, takes in zip(lines, minutes_of(lines)):
        if not code and line.startswith("## "):
            reading = f"*{line[3:]}*" in sign[0]
            seen += reading
        code ^= line.lstrip(" ").startswith("```")
        reading = reading and not line.startswith("*On the short climb, skip")
        minutes += takes if reading else 0
        known = bool(line) and (known or line.startswith("You should know:"))
        kept.append(line if reading and not known else blank(line))
    if seen != named:
        wrong(f"{seen} of its {named} sections are there")
    if abs(minutes - int(says[1] if says else 0)) > 1:
        wrong(f"it says {says[1] if says else 0} minutes, and by its length it is {minutes:.1f}")
    return "\n".join(kept), minutes


def link(path):
    """"steps/06-gpu-naive/README.md" as "06", "docs/cuda-primer.md" as the primer; a link from docs/."""
    return f"[step {path[6:8]}](../{path})" if path.startswith("steps/") else f"[the primer]({path[5:]})"


def search(path, text, terms):
    """Notes where the terms are used and introduced."""
    text = prose_of(text)
    for term in terms:
        for found in term.pattern.finditer(text):
            place = (path, text.count("\n", 0, found.start()) + 1)
            term.used = term.used or place
            if not term.introduced and introduces(text, *found.span()):
                term.introduced = place


def table(terms, files):
    """The rows of the terms that are introduced before they are used; the others are faults."""
    rows = ["| term | introduced in | first used in |", "| --- | --- | --- |"]
    for term in terms:
        if not term.used:
            continue
        late = not term.introduced or (files.index(term.introduced[0]), term.introduced[1]) > (files.index(term.used[0]), term.used[1])
        if late:
            how = "it is introduced only later" if term.introduced else \
                "nowhere introduced (write it as *term*, or link it to the glossary)"
            fault(f'{term.used[0]}:{term.used[1]}: "{term.shown.lower()}" is used, but {how}')
        else:
            rows.append(f"| {term.shown} | {link(term.introduced[0])} | {link(term.used[0])} |")
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--short", type=int, metavar="MINUTES")
    parser.add_argument("--page", help="whose table is compared")
    parser.add_argument("glossary")
    parser.add_argument("files", nargs="+")
    asked = parser.parse_args()
    terms, minutes = terms_in(read(asked.glossary)), 0
    for path, following in zip(asked.files, asked.files[1:] + [None]):
        text = read(path)
        if asked.short:
            text, takes = short_climb(path, text, following)
            minutes += takes
        search(path, text, terms)
    if asked.short:
        print(f"the short climb: {len(asked.files)} pages, {minutes:.0f} minutes\n")
        for page in (WAYS, "README.md") if asked.files[0].startswith("steps/") else ():
            about = re.search(r"about (\d+) minutes of\s+reading", read(page))
            if not about or abs(int(about[1]) - minutes) > 3:
                fault(f"{page}: it says {about and about[0]}, and the chapters say {minutes:.0f}")
        if minutes > asked.short:
            fault(f"{asked.files[-1]}: the short climb: all pages together take too long")
    rows = table(terms, asked.files)
    if not asked.page:
        print("\n".join(rows))
    elif not faults and rows != re.findall(r"^\|.*", read(asked.page), re.M):
        fault(f"{asked.page} is stale: its table should be this:\n" + "\n".join(rows))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
