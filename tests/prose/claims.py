#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""claims.py [--fill] PAGE.md...: every number that a page claims leads to the row that it comes from.

A claim is a link to a results file, written as Markdown writes references. The text has
`[5.4 to 5.6 times][06-order]`, and at the end of the page

  [06-order]: ../../docs/results/h100/06-gpu.jsonl "ms[variant=uncoalesced] / ms[variant=coalesced] for n=1024,2048"

The title says how the number is computed: FIELD[NAME=VALUE ...] is a field of the one row that has all these values
(NAME~PART: a text with that part in it; _ is a blank; part=NAME: a row below conditions with this part; @FILE among them: of a
row in another file; `ms` is ms_median), and + - * / ( ) are what they always are. After ` where ` come values that all rows
share, after ` for ` a field and its values: the claim then has a number for each of them, or their smallest and largest.
`says TEXT` instead: the file, of whatever kind, has this text. A title of numbers alone is arithmetic that the page explains
where the link leads.

Checked is that the words' numbers are the computed ones, rounded as they are written (a word or "about": within a tenth), and
that the title ends with what --fill puts there: the value, the spread of the runs, the machine and the day. And in README.md
and a chapter (but for the sections that predict, show code or set tasks) a number with a unit or "times" must be a claim, and
so must "half the speed" and "a fifth less time". A paragraph with a superlative has a claim or a link to its source.

Exit status: 0, or 1 with a line for each fault; 2 bad usage, 3 a file that cannot be read."""
import functools
import json
import math
import os
import re
import sys
from dataclasses import dataclass, field
from typing import NamedTuple

WORDS = {"half": 0.5, "third": 1 / 3, "quarter": 0.25, "fifth": 0.2, "sixth": 1 / 6, "eighth": 0.125, "tenth": 0.1, "twice": 2,
         "double": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
         "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
         "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100, "thousand": 1e3}
ABOUT = "about", "almost", "nearly", "some ", "roughly", "near "
ABOVE = "more than", "at least", "over ", "above "
BELOW = "less than", "at most", "under ", "below ", "up to ", "within "
UNITS = set("ms s second seconds milliseconds microseconds µs GFLOP/s TFLOP/s GB/s TB/s % percent times transactions fetches".split())
SUPERLATIVES = "fastest", "slowest", "nobody has", "first to ", "state of the art", "best known", "no one has"
NO_CLAIMS = "Picture", "What it should cost", "The code", "Exercises"  # sections that predict, show code or set tasks


class Wrong(Exception):
    """An expression that cannot be computed."""


def has_one_of(text, phrases):
    return any(phrase in text.lower() for phrase in phrases)


# ---- Rows ----

@functools.lru_cache(None)
def text_of(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return None


@functools.lru_cache(None)
def rows_of(path):
    """(its line, fields as texts, conditions above it) of each row: of JSON lines, or of a CSV file with a headline."""
    lines, rows, above = text_of(path).splitlines(), [], {}
    head = lines[0].split(",") if lines else []
    for number, line in enumerate(lines, 1):
        if line.startswith("{"):
            row = json.loads(line, parse_float=str, parse_int=str)
            if "conditions" in row:
                above = row["conditions"]
                continue
            row = {name: value if isinstance(value, str) else json.dumps(value) for name, value in row.items()}
        else:
            row = dict(zip(head, line.split(",")))
        rows.append((number, row, above))
    return rows


def leading_number(text):
    found = re.match(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", text)
    return float(found[0]) if found else math.nan


def conditions_in(text):
    """"NAME=VALUE NAME~PART" as (name, sign, value); of two for one name the first counts."""
    found = {}
    for word in text.split():
        name, sign, value = re.match("([^=~]*)([=~]?)(.*)", word).groups()
        if sign and not word.startswith("@") and name not in found:
            found[name] = (name, sign, value)
    return list(found.values())


def has(row, above, conditions):
    """Whether a row has all these values; a blank in them is written _."""
    for name, sign, value in conditions:
        text = (above if above and name == "part" else row).get(name)
        if text is None:
            return False
        text = text.replace(" ", "_")
        same = text == value or value[:1].isdigit() and "_" not in value and leading_number(text) == leading_number(value)
        if not (value in text if sign == "~" else same):
            return False
    return True


# ---- Expressions ----

class Value(NamedTuple):
    """A number, and what it would be by the fastest and the slowest run."""
    at: float
    low: float
    high: float

    def __add__(self, other):
        return Value(self.at + other.at, self.low + other.low, self.high + other.high)

    def __sub__(self, other):
        return Value(self.at - other.at, self.low - other.high, self.high - other.low)

    def __mul__(self, other):
        return Value(self.at * other.at, self.low * other.low, self.high * other.high)

    def __truediv__(self, other):
        return Value(self.at / other.at, self.low / other.high, self.high / other.low)


# FIELD[NAME=VALUE ...] or a number; between them are the signs and brackets of a Python expression.
TERM = re.compile(r"([^][\s()*/+-]+)\[([^]]*)\]|\d+\.?\d*(?:[eE][-+]?\d+)?")


@dataclass
class Claim:
    id: str
    path: str
    title: str
    line: int
    values: list = field(default_factory=list)
    conditions: dict = None  # those above its first row
    used: bool = False

    @property
    def expression(self):
        return self.title if self.title.startswith("says ") else self.title.partition(" = ")[0]

    def compute(self):
        """Its values, one for each value after ` for `."""
        formula, _, each = self.expression.partition(" for ")
        formula, _, shared = formula.partition(" where ")
        name, _, values = each.partition("=")
        for value in values.split(",") if each else [""]:
            self.values.append(self.evaluate(formula, f"{shared} {name}={value}" if each else shared))

    def evaluate(self, formula, shared):
        """A formula's value; `shared` are conditions of all rows."""
        terms = []

        def put_aside(found):
            terms.append(self.in_row(found[1], found[2], shared) if found[1] else Value(*[float(found[0])] * 3))
            return f"terms[{len(terms) - 1}]"

        expression = TERM.sub(put_aside, formula).strip()
        try:
            if not re.fullmatch(r"(terms\[\d+\]|[ ()*/+-])+", expression):
                raise SyntaxError
            return eval(expression, {"terms": terms}) + Value(0, 0, 0)
        except (SyntaxError, TypeError) as error:
            raise Wrong(f"'{formula}' is no formula of FIELD[NAME=VALUE ...] and numbers") from error

    def in_row(self, name, conditions, shared):
        wanted, other = f"{conditions} {shared}", re.search("@([^ ]*)", f"{conditions} {shared}")
        path = os.path.join(os.path.dirname(self.path), other[1]) if other else self.path
        if text_of(path) is None:
            raise Wrong(f"{path} cannot be read")
        wanted = conditions_in(wanted)
        line = next((int(value) for key, _, value in wanted if key == "line"), None)  # where a row was measured twice
        wanted = [condition for condition in wanted if condition[0] != "line"]
        found = [(row, above) for number, row, above in rows_of(path) if line in (None, number) and has(row, above, wanted)]
        if len(found) != 1:
            raise Wrong(f"{name}[{conditions}]: {len(found)} rows of {path} have these values; one must")
        row, above = found[0]
        if not other and self.conditions is None:
            self.conditions = above
        x = spread(row, name)
        if math.isnan(x[0]):
            raise Wrong(f"{name}[{conditions}]: the row has no number {name}")
        return x

    def summary(self):
        """What --fill puts after the expression."""
        at, low, high = zip(*self.values)
        text = f" = {min(at):.4g}" + (f" to {max(at):.4g}" if max(at) > min(at) else "")
        if min(low) < min(at) or max(high) > max(at):
            text += f", single runs {min(low):.4g} to {max(high):.4g}"
        if "[" not in self.expression:
            return text
        conditions = self.conditions
        if not conditions and text_of(self.path).startswith('{"conditions":'):
            conditions = json.loads(text_of(self.path).partition("\n")[0])["conditions"]
        if conditions and "device" in conditions and "date" in conditions:
            text += f"; {conditions['device']}, {conditions['date']}"
        return text


def spread(row, name):
    """A field, and for what is timed its spread."""
    x, ms, fast, slow = (leading_number(row.get(key, "")) for key in (name, "ms_median", "ms_min", "ms_max"))
    if name == "ms" and not math.isnan(ms):
        return Value(ms, ms if math.isnan(fast) else fast, ms if math.isnan(slow) else slow)
    if name in ("ratio", "gflops") and fast > 0 and slow > 0:
        return Value(x, x * ms / slow, x * ms / fast)
    return Value(x, x, x)


# ---- Numbers in words ----

NUMBER = re.compile(r"(?<![A-Za-z0-9._])(?:(?P<digits>\d(?:[\d]|[.,](?=\d))*)(?:e(?P<exponent>[-\d]*))?|(?P<word>"
                    + "|".join(sorted(WORDS, key=len, reverse=True)) + r")(?![A-Za-z]))", re.IGNORECASE | re.ASCII)


@dataclass
class Number:
    value: float
    within: float  # how far it may be off as it is written
    end: int

    def says(self, value):
        return abs(self.value - value) <= self.within * (1 + 1e-9)


def numbers_in(text):
    for found in NUMBER.finditer(text):
        if found["word"]:
            value = WORDS[found["word"].lower()]
            yield Number(value, value / 10, found.end())
            continue
        digits, exponent = found["digits"].replace(",", ""), int(found["exponent"] or 0)
        decimals = len(digits.rpartition(".")[2]) if "." in digits else 0
        zeros = 0 if decimals else len(digits) - len(digits.rstrip("0"))
        value, within = leading_number(digits) * 10.0 ** exponent, 0.5 * 10.0 ** (exponent - (decimals or -zeros))
        yield Number(value, max(min(within, value / 20), 0.5) if zeros else within, found.end())


def agrees(values, words):
    """Whether the words of a link say what the claim's values are."""
    numbers = list(numbers_in(words))
    low, high = min(at for at, _, _ in values), max(at for at, _, _ in values)
    if has_one_of(words, ABOUT):
        for number in numbers:
            number.within = max(number.within, number.value / 10)
    if numbers and len(numbers) == len(values) and all(number.says(at) for number, (at, _, _) in zip(numbers, values)):
        return True
    if len(numbers) == 2:
        return numbers[0].says(low) and numbers[1].says(high)
    if len(numbers) != 1:
        return False
    said = numbers[0].value
    if has_one_of(words, ABOVE):
        return said <= low <= 1.5 * said
    if has_one_of(words, BELOW):
        return said / 1.5 <= high <= said
    return numbers[0].says(low) and numbers[0].says(high)


def is_ratio(rest):
    """Whether a number goes on as a ratio of speeds or times, before the next comma or full stop: "half the speed of", "a fifth
    less time", "twice as fast"."""
    clause = re.sub(r"\s", " ", re.match(r"[^.,;:?()*]{0,40}", rest)[0]) + " "
    return has_one_of(clause, (" speed", " time ", " fast ", " a percent")) and not clause.startswith(" level")


# ---- A page ----

class Page:
    def __init__(self, path, filling):
        self.path, self.filling, self.faults, self.claims = path, filling, 0, {}
        self.text = text_of(path)
        if self.text is None:
            print(f"claims: {path} cannot be read; run it from the repository's root", file=sys.stderr)
            sys.exit(3)

    def fault(self, line, what):
        print(f"{self.path}:{line}: {what}")
        self.faults += 1

    def check_definition(self, line, number):
        """[id]: path "title": reads a claim and computes it. Returns the line as it should be."""
        found = re.match(r'\[([^\]]+)\]:\s*(\S+)\s*"([^"]+)"', line)
        if not found:
            return line
        path = os.path.normpath(os.path.join(os.path.dirname(self.path), found[2].partition("#")[0] or os.path.basename(self.path)))
        claim, result = Claim(found[1], path, found[3], number), ""
        self.claims[claim.id] = claim
        text = text_of(path)
        if text is None:
            self.fault(number, f"[{claim.id}]: {path} cannot be read")
        elif claim.expression.startswith("says "):
            if not re.search(r"\s+".join(map(re.escape, claim.expression[5:].split())), text):
                self.fault(number, f'[{claim.id}]: {path} does not say "{claim.expression[5:]}"')
        else:
            try:
                claim.compute()
                result = claim.summary()
            except Wrong as wrong:
                claim.values = []
                self.fault(number, f"[{claim.id}]: {wrong}")
        if not self.filling and result and claim.title[len(claim.expression):] != result:
            self.fault(number, f"[{claim.id}] is stale, it is{result}: run tools/scripts/chapters")
        return f'{line.partition(chr(34))[0]}"{claim.expression}{result}"'

    def check_link(self, words, id, line):
        """A link to a claim, [words][id]."""
        claim = self.claims[id]
        claim.used = True
        if claim.expression.startswith("says "):
            there = list(numbers_in(claim.expression[5:]))
            for number in numbers_in(words):
                if not any(number.says(other.value) for other in there):
                    self.fault(line, f'"{words}": [{id}] does not say {number.value:g}')
        elif claim.values and not agrees(claim.values, words):
            low, high = min(at for at, _, _ in claim.values), max(at for at, _, _ in claim.values)
            self.fault(line, f'"{words}": by [{id}] it is {low:.5g}' + (f" to {high:.5g}" if low < high else ""))

    def without_links(self, text, line):
        """Checks the links of a paragraph. Returns it with blanks in their places."""
        at = text.find("][")
        while at >= 0:
            begin, depth, end = at, 1, text.find("]", at + 2)
            while begin > 0 and depth:
                begin -= 1
                depth += (text[begin] == "]") - (text[begin] == "[")
            if end >= 0 and text[at + 2:end] in self.claims and not depth:
                self.check_link(text[begin + 1:at], text[at + 2:end], line)
                text = text[:begin] + " " * (end + 1 - begin) + text[end + 1:]
            elif 0 <= end < at + 60:
                self.fault(line, f"{text[at + 1:end + 1]}: the page has no such reference")
            at = text.find("][", at + 1)
        return text

    def find_unclaimed(self, text, line):
        """A number with a unit, or a factor, in text that has no links to claims any more."""
        for number in numbers_in(text):
            begin, unit = max(0, number.end - 40), re.match(r"[ \n]*([^ \n,.;:)!?]*)", text[number.end:])[1]
            word = text[:number.end].rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != text[:number.end]
            part = word and (number.value < 1 or text[:number.end].endswith("twice"))
            if unit in UNITS or part and is_ratio(text[number.end:]):
                self.fault(line, f'"{text[begin:number.end]} {unit} " claims a number: which row is it from?')
        for found in re.finditer("factor of ", text):
            number = next(numbers_in(text[found.start():]), None)
            if number and number.end < 24:
                self.fault(line, f'"{text[found.start():][:number.end]}" claims a factor: which row is it from?')

    def check_paragraph(self, text, line, covered):
        if covered and not self.filling and text[:1] != "|" and not re.search(r"\]\(|\]\[|\?", text) and \
                has_one_of(text, SUPERLATIVES):  # a question may have one
            self.fault(line, f'"{text[:40]}" has a superlative, but neither a row nor a source')
        code = text.split("`")
        code[1::2] = [re.sub(r"[\[\]]", " ", part) for part in code[1::2]]  # `a[i][j]` is no link
        text = self.without_links("`".join(code), line)
        if covered and not self.filling:
            self.find_unclaimed(text, line)

    def check_text(self):
        """Goes through the paragraphs and rows of tables, without code and what tools/scripts/chapters puts there."""
        covered = claimed = os.path.basename(self.path) == "README.md"
        fenced = filled = False
        paragraph, first = "", 1
        for number, line in enumerate(self.text.split("\n") + [""], 1):
            mark, fence = line.startswith("<!-- "), line.lstrip(" ").startswith("```")
            if not line or mark or fence or line[0] in "#|" or re.match(r"\* |\d+\. ", line):
                self.check_paragraph(paragraph, first, claimed)
                paragraph = ""
            fenced ^= fence
            if mark:
                filled = not line.startswith(("<!-- end", "<!-- long"))
            if line.startswith("## "):
                claimed = covered and not line[3:].startswith(NO_CLAIMS)
            definition = re.match(r"\[[^ ]*\]: ", line)
            if not line or fenced or fence or filled or mark or definition or line.startswith(("![", "#")):
                continue
            first = first if paragraph else number
            paragraph += line + "\n"

    def check(self):
        """Returns the page as --fill leaves it."""
        filled = "\n".join(self.check_definition(line, number) for number, line in enumerate(self.text.split("\n"), 1))
        self.check_text()
        for claim in self.claims.values():
            if not claim.used:
                self.fault(claim.line, f"[{claim.id}] is not used")
        return filled


def main(arguments):
    filling = arguments[:1] == ["--fill"]
    paths = arguments[filling:]
    if not paths:
        print("usage: claims.py [--fill] PAGE.md...", file=sys.stderr)
        return 2
    faults = 0
    for path in paths:
        page = Page(path, filling)
        filled = page.check()
        faults += page.faults
        if filling and filled != page.text:
            with open(path, "w", encoding="utf-8") as file:
                file.write(filled)
            print(f"{path} updated", file=sys.stderr)
    print(f"{len(paths)} pages, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
