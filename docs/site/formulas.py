# SPDX-License-Identifier: MIT
"""Turns the chapters' formulas into TeX.

The chapters write formulas as people do in plain text, `n³/8 + n²/16`, so that they read well in any
editor and on a Git host. The site sets them with KaTeX. Text that is no formula is left alone: the
functions return None for it.
"""
import html
import re

SUPERSCRIPTS = str.maketrans('⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ⁻⁺·', '0123456789n-+.')
SYMBOLS = {'·': r'\cdot ', '−': '-', '-': '-', '≤': r'\le ', '≥': r'\ge ', '≈': r'\approx ', '×': r'\times ',
           '⇒': r'\Rightarrow ', '…': r'\dots ', 'Σ': r'\sum ', 'τ': r'\tau', 'ε': r'\varepsilon ',
           'α': r'\alpha ', 'β': r'\beta ', 'γ': r'\gamma ', '√': r'\surd ', '‖': r'\Vert ', 'Ĉ': r'\hat C', '∞': r'\infty ',
           '+': '+', '=': '=', '<': '<', '>': '>', ',': ',\\;', ';': ';\\;', '±': r'\pm ', 'ω': r'\omega ', ':': r'\colon ', '!': '!'}
TOKEN = re.compile(r'''
    (?P<super>[⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ⁻⁺]+(?:·[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?)
  | (?P<log>log(?P<base>[₀-₉]+)(?P<of>\d+)?)
  | (?P<number>\d+(?:\.\d+)?(?:e[-−]?\d+)?)
  | (?P<indexed>[A-ZŜτ]\d{1,2}(?![A-Za-z0-9])|[a-z]\d(?![A-Za-z0-9])|[A-Za-z]_[A-Za-z0-9]+|[a-z]{1,2}_[ijkl]+)
  | (?P<word>[A-Za-z][A-Za-z0-9]+(?:-[a-z]+)*)
  | (?P<letter>[A-Za-zŜ])
  | (?P<open>[(\[])
  | (?P<close>[)\]])
  | (?P<caret>\^)
  | (?P<other>[⅔⌈⌉']|\|[A-Za-z]+\|)
  | (?P<slash>/)
  | (?P<symbol>[·−≤≥≈×⇒…Στεαβγω√‖Ĉ∞+=<>,;:±!-])
  | (?P<blank>\s+)
''', re.X)


class NoFormula(Exception):
    """The text contains something that formulas do not contain."""


def tokens(text):
    at, found = 0, []
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise NoFormula(text[at])
        found.append((match.lastgroup if match.lastgroup not in ('base', 'of') else 'log', match.group()))
        at = match.end()
    return found


class Parser:
    """A cell of a formula; `2n³/8` is one fraction, because what has no blanks in it belongs together."""

    def __init__(self, text, display):
        self.tokens = tokens(text)
        self.display = display
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ('end', '')

    def next(self):
        token = self.peek()
        self.at += 1
        return token

    def sequence(self, closing=None):
        """TeX for the text up to the closing bracket or the end."""
        out, words = [], False
        while True:
            kind, text = self.peek()
            if kind == 'end' or kind == 'close':
                if (kind == 'close') != (closing is not None):
                    raise NoFormula('bracket')
                return ''.join(out)
            if kind == 'blank':
                self.next()
                apart = words or self.peek()[0] == 'word' or out[-1:] and out[-1].isdigit() and self.peek()[0] == 'number'
                out.append(r'\ ' if apart else ' ')
                continue
            if kind in ('symbol', 'slash'):
                self.next()
                out.append('/' if kind == 'slash' else SYMBOLS[text])
                words = False
                continue
            words = kind == 'word'
            out.append(self.cluster())

    def cluster(self):
        """Atoms without a blank between them; a fraction if a slash follows at once."""
        above = self.atoms()
        if self.peek()[0] == 'slash' and self.after_slash():
            self.next()
            below = self.atoms()
            return r'\frac{%s}{%s}' % (strip(above), strip(below)) if self.display else above + '/' + below
        return above

    def after_slash(self):
        return self.at + 1 < len(self.tokens) and self.tokens[self.at + 1][0] not in ('blank', 'symbol', 'slash')

    def atoms(self):
        out = []
        while self.peek()[0] in ('number', 'indexed', 'word', 'letter', 'open', 'log', 'super', 'caret', 'other'):
            out.append(self.atom())
        if not out:
            raise NoFormula('nothing')
        return ''.join(out)

    def atom(self):
        kind, text = self.next()
        if kind == 'number':
            return text.replace('−', '-')
        if kind == 'letter':
            return text
        if kind == 'indexed':
            name, index = (text.split('_') if '_' in text else (text[0], text[1:]))
            return '%s_{%s}' % (SYMBOLS.get(name, name), index)
        if kind == 'word':
            return {'min': r'\min', 'max': r'\max'}.get(text) or r'\text{%s}' % text
        if kind == 'log':
            base = ''.join(str(ord(c) - ord('₀')) for c in text[3:] if '₀' <= c <= '₉')
            return r'{\log_{%s} %s}' % (base, re.sub('^log[₀-₉]+', '', text))
        if kind == 'super':
            return '^{%s}' % text.translate(SUPERSCRIPTS)
        if kind == 'caret':
            sign = self.next()[1] if self.peek() == ('symbol', '−') else ''
            power = strip(self.atom())
            return '^{%s%s}' % (sign and '-', power[1:-1] if not self.display and power[:1] == '(' else power)
        if kind == 'other':
            if self.display:
                raise NoFormula(text)
            return {'⅔': r'\tfrac{2}{3}', '⌈': r'\lceil ', '⌉': r'\rceil '}.get(text, text)
        close = {'(': ')', '[': ']'}[text]
        inside = self.sequence(close)
        if self.next()[1] != close:
            raise NoFormula('bracket')
        if not self.display:
            return text + inside + close  # a line may break in it
        return r'\left%s%s\right%s' % (text, inside, close)


def strip(tex):
    """Removes brackets that a fraction or an exponent makes superfluous."""
    inside = re.fullmatch(r'\\left\((.*)\\right\)', tex)
    return inside.group(1) if inside and r'\right)' not in inside.group(1) else tex


def formula(text, display=True):
    return re.sub(r'\\surd ([A-Za-z0-9])', r'\\sqrt{\1}', Parser(text.strip(), display).sequence())


def cells(line):
    # `V1  = ...` is one cell: a name one letter shorter than its neighbours
    return [(match.start(), re.sub(' +', ' ', match.group()))
            for match in re.finditer(r'(?:\b[A-Z]\d  (?==))?\S+(?: \S+)*', line)]


def block(text):
    """A block of lines in columns as TeX, or None."""
    lines = [line for line in text.rstrip('\n').split('\n')]
    if not re.search(r'[²³⁴=≈≤≥·]|\bmin\(|\bmax\(', text) or re.search(r'[|`"{}#*►│┌→]|->|--|__', text):
        return None
    starts, column = columns([cells(line) for line in lines])
    rows = []
    try:
        for line in lines:
            row = {column[start]: aligned(cell) for start, cell in cells(line)}
            rows.append(row)
    except NoFormula:
        return None
    if len(starts) > 8:
        return None
    single = len(rows) == 1 and len(starts) == 1
    body = r' \\[0.35em] '.join(' & '.join(row.get(start, '&').replace('&', '' if start == 0 and single else '&')
                                         if start == starts[0] else r'\qquad ' + row.get(start, '&')
                                         for start in starts) for row in rows)
    return body if single else r'\begin{aligned} %s \end{aligned}' % body


def equations(text):
    """A block that block() sets, as lines that may break. If it contains only equations, each gets a line, and columns of
    them are read downwards. Otherwise a row is a line, whose cells have before them the text above them if the first row has
    no name."""
    rows = [cells(line) for line in text.rstrip('\n').split('\n')]
    column = columns(rows)[1]
    found = [[(column[start], aligned(cell)) for start, cell in row] for row in rows]
    if all(re.match(r'\S+ & ', cell) for row in found for _, cell in row):
        return [cell.replace('&', '').strip() for _, cell in sorted(sum(found, []), key=lambda place: place[0])]
    over = {}
    if len(found) > 1 and min(rows[0])[0] > min(rows[1])[0]:
        over = {start: cell.replace('&', '').strip() + r'\ ' for start, cell in found.pop(0)}
    lines = [r'\quad \allowbreak '.join(over.get(start, '') + cell.replace('&', '').strip() for start, cell in row) for row in found]
    return [re.sub(r'(?:\\quad \\allowbreak )?(?<!\S)=(?=\s|\\quad)(?:\\quad \\allowbreak)? *', ' = ', line).replace('\\ ', r'\ \allowbreak ') for line in lines]


def columns(rows):
    """The columns in which the cells of these rows begin, and the column that a cell's start belongs to: numbers
    that end together begin one blank apart."""
    together = [{start for start, _ in row} for row in rows]
    starts, column = [], {}
    for start in sorted({start for row in rows for start, _ in row}):
        near = starts and start - starts[-1] <= 2 and not any({start, starts[-1]} <= row for row in together)
        if not near:
            starts.append(start)
        column[start] = starts[-1]
    return starts, column


def aligned(cell):
    """One cell, split into a left and a right half at its first relation."""
    match = re.match(r'(.*?) ([=≈≤]) +(.*)', ' ' + cell)
    if match and '(' not in match.group(1).replace('(k, n)', '').replace('(1, n)', '').replace('(n)', ''):
        left = formula(match.group(1)) if match.group(1).strip() else ''
        return '%s & %s %s' % (left, SYMBOLS[match.group(2)], formula(match.group(3)))
    if re.fullmatch(r'[A-Za-z][A-Za-z ]*[a-z]', cell):
        return r'& \text{%s}' % cell
    return '& ' + formula(cell)


# A word in running text that may be part of a formula: at least one of a formula's words has an
# exponent. A function's arguments may be words of their own: A(k, n).
EXPONENT = re.compile(r"[0-9A-Za-z)\]'⌉]([²³⁴⁵⁶⁷⁸⁹⁰¹ⁿ⁻]|\^[−(0-9A-Za-z])")
PART = re.compile(r"[(\[−√]*[0-9A-Za-z²³⁴⁵⁶⁷⁸⁹⁰¹ⁿ⁻₀-₉/()\[\].^_·−√ω⌈⌉']+")
SIMPLE = re.compile(r'[(\[⅔]*(?:\d*[nt]0|−?[0-9.]*√?[0-9.]*[a-zA-Z]?|[A-Z]\d\d?|[0-9.]+/[0-9.]+|√\d|[⅔…Σ]|\|[a-z]+\||‖[a-z]‖|T\(n(?:/2)?\)|[a-z]₀|mnk(?:/\d+)?|[a-z]√[a-z]|\d?[a-z]/\d+|P/2|[a-z]\'|[\d.]+e[-−]\d+)[)\]]*|\(*\d*[Aβ]?\(?[a-z](?:[−/]\d)?[,)]*')
OPERATOR = re.compile(r'[·+−=≈≤≥×/<>…]')
COUNTS = re.compile(r'[(\[]*(?:[0-9.]+(?:/[0-9.]+)?|[⅔Σ])[)\]]*|.*\)')  # may precede another factor without a sign between


def is_part(word):
    return bool(SIMPLE.fullmatch(word)) or bool(PART.fullmatch(word) and EXPONENT.search(word))


def inline(text):
    """Sets the formulas of a running text: each becomes a span that holds its TeX and the text."""
    words = re.split(r'(\s+)', text)
    out, i = [], 0
    while i < len(words):
        end = formula_end(words, i)
        if end is None:
            out.append(words[i])
            i += 1
            continue
        source = ''.join(words[i:end])
        bare = without_tail(source)
        tail = source[len(bare):]
        head, source = (bare[0], bare[1:]) if depth(bare) > 0 else ('', bare)
        try:
            out.append('%s<span class="tex" data-tex="%s">%s</span>%s'
                       % (head, html.escape(formula(source, display=False)), html.escape(source), tail))
        except NoFormula:
            out.append(head + source + tail)
        i = end
    return ''.join(out)


def depth(text):
    return sum(text.count(bracket) for bracket in '([') - sum(text.count(bracket) for bracket in ')]')


def without_tail(text):
    """A formula without the text after it."""
    bare = re.sub(r'(?:-terms?)?[.,;:?*]*$', '', text)
    return bare[:-1] if depth(bare) < 0 and bare[-1:] in ')]' else bare


def formula_end(words, i):
    """Where the formula that begins with word i ends, or None. Words are joined by a sign between them, inside a function's brackets by
    a comma, and without any sign where a factor with an exponent or a bracket follows a number or a bracket."""
    end, has_exponent, j = None, False, i
    while j < len(words):
        word = words[j]
        text = ''.join(words[i:j + 1])
        whole = without_tail(text)
        bare = word if depth(text) > 0 and word[-1:] == ',' else word[:len(word) - len(text) + len(whole)]
        if depth(whole) < 0 or not is_part(bare):
            break
        has_exponent = has_exponent or bool(EXPONENT.search(bare))
        # A bracket that the formula opens and does not close belongs to the sentence.
        if has_exponent and (depth(whole) == 0 or depth(whole) == 1 and text[0] in '([' and j == i):
            end = j + 1
        if bare != word or j + 2 >= len(words) or '\n\n' in words[j + 1]:
            break
        if j + 4 < len(words) and OPERATOR.fullmatch(words[j + 2]):
            j += 4
        elif word[-1:] == ',' or depth(text) > 0 and text[0] not in '([' and is_part(without_tail(words[j + 2])) or \
                (COUNTS.fullmatch(word) or EXPONENT.search(word)) and (words[j + 2][:1] == '(' or EXPONENT.search(words[j + 2])):
            j += 2
        else:
            break
    if end is None or (end == i + 1 and re.fullmatch(r'[A-Za-z]{2,}(?!.*\(.*\)).*', words[i])):
        return None
    return end
