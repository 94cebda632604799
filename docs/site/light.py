# SPDX-License-Identifier: MIT
"""Pages that come sooner: each has within it the rules of the style sheets that it can use, so that a reader's browser shows it
without asking for another file. book.py calls lighten() when the pages are made.

A rule can be used by a page if the page, or a string in one of its scripts, has each class, element and colour scheme that the
rule names."""
import functools
import os
import re

SHEET = re.compile(r'\s*<link rel="stylesheet" href="([^":]*\.css)">')
SCRIPT = re.compile(r'<script src="([^":]*\.js)"></script>')
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|url\([^)"\']*\)|[{};]')
NAME = re.compile(r'-?[A-Za-z_][\w-]*')


def rules(text):
    """A style sheet as [(head, body)]. A body is a text, the rules within it, or None where there are no braces."""
    found, depth, begin, head = [], 0, 0, ''
    for token in TOKEN.finditer(text):
        if token.group() == '{':
            if depth == 0:
                head, begin = text[begin:token.start()].strip(), token.end()
            depth += 1
        elif token.group() == '}':
            depth -= 1
            if depth == 0:
                body = text[begin:token.start()].strip()
                found.append((head, rules(body) if re.match('@(media|supports)', head) else body))
                begin = token.end()
        elif token.group() == ';' and depth == 0:
            found.append((text[begin:token.end()].strip(), None))
            begin = token.end()
    return found


@functools.lru_cache(maxsize=None)
def alternatives(head):
    """A list of selectors, apart at the commas outside of brackets."""
    found, depth, begin = [], 0, 0
    for at, letter in enumerate(head):
        depth += (letter in '([') - (letter in ')]')
        if letter == ',' and depth == 0:
            found.append(head[begin:at].strip())
            begin = at + 1
    return found + [head[begin:].strip()]


@functools.lru_cache(maxsize=None)
def needs(selector):
    """Sets of names; a page must have all of one of them for the selector to find something. What :not() and :has() name is left out."""
    if re.search(r':-(?:webkit|moz)-any', selector):
        return ()  # older browsers' way to say what another rule says with :is()
    either = re.search(r':(?:is|where)\(([^()]*)\)', selector)
    if either:
        return tuple(names for one in either.group(1).split(',')
                     for names in needs('%s %s %s' % (selector[:either.start()], one, selector[either.end():])))
    schemes = re.findall(r'\[data-md-color-\w+="?([\w-]+)"?\]', selector)
    plain = re.sub(r'\[[^\]]*\]', '', selector)
    while '(' in plain:
        plain = re.sub(r':[\w-]+\([^()]*\)', '', plain)
    plain = re.sub(r'::?[\w-]+|#[\w-]+', '', plain)
    return frozenset(NAME.findall(plain) + schemes),


def used(sheet, names):
    """The rules of a sheet that a page with these names can use."""
    found = []
    for head, body in sheet:
        if isinstance(body, list):
            body = used(body, names)
            if body:
                found.append((head, body))
        elif head.startswith('@'):
            found.append((head, body))
        else:
            kept = [one for one in alternatives(head) if any(some <= names for some in needs(one))]
            if kept:
                found.append((','.join(kept), body))
    return found


def written(sheet):
    return ''.join(head if body is None else '%s{%s}' % (head, written(body) if isinstance(body, list) else body) for head, body in sheet)


def without_unused_values(text):
    """Leaves out pictures in variables that no rule asks for, and fonts that none names."""
    fonts = r'@font-face\{[^}]*?font-family:\s*"?([\w-]+)[^}]*\}'
    rest = re.sub(fonts, '', text)
    text = re.sub(fonts, lambda m: m.group() if m.group(1) in rest else '', text)
    return re.sub(r'(--[\w-]+):\s*url\((?:\'[^\']*\'|"[^"]*"|[^)]*)\);?', lambda m: m.group() if 'var(%s' % m.group(1) in rest else '', text)


@functools.lru_cache(maxsize=None)
def sheet_of(path):
    with open(path, encoding='utf-8') as file:
        return rules(re.sub(r'\s+', ' ', re.sub(r'/\*.*?\*/|@charset "UTF-8";', '', file.read(), flags=re.S)))


@functools.lru_cache(maxsize=None)
def names_in_script(path):
    """What a script may add to a page. The theme's says many words that are no classes: of those without a hyphen only the ones
    that it uses as a class or an element count."""
    with open(path, encoding='utf-8') as file:
        text = file.read()
    strings = re.findall(r'"([^"\n]*)"|\'([^\'\n]*)\'|`([^`]*)`', text)
    if os.path.basename(path).startswith('bundle.'):
        made = re.findall(r'(?:classList\.\w+\(|class(?:Name)?[:=]|createElement\(|[\w$]\()"([\w-]+)"', text)
        return frozenset(made).union(*(re.findall(r'(?<=\.)[a-z][\w-]*|\b[a-z]+-[\w-]+', ' '.join(one)) for one in strings))
    return frozenset(name for one in strings for name in NAME.findall(' '.join(one)))


def names_in(text):
    """What a page has: its elements, classes, and the values of other attributes."""
    return {name for tag in re.findall(r'<([A-Za-z][^<>]*)>', text) for name in NAME.findall(tag)} | {'html', 'body'}


def lighten(path, text):
    """The text of the page at `path` with its style sheets within it, and without the scripts that it does not need."""
    folder = os.path.dirname(path)
    if 'data-player' not in text:
        text = re.sub(r'\s*<script src="[^"]*assets/player\.js"></script>', '', text)
    names = names_in(text).union(*(names_in_script(os.path.normpath(os.path.join(folder, script))) for script in SCRIPT.findall(text)))
    sheets = []
    for link in SHEET.findall(text):
        rebased = 'url(%s/\\1)' % os.path.dirname(link)
        sheet = written(used(sheet_of(os.path.normpath(os.path.join(folder, link))), names))
        sheets.append(re.sub(r'url\(["\']?(?!data:|#|https?:|/)([^)"\']+)["\']?\)', rebased, sheet))
    first = SHEET.search(text)
    return text if not first else '%s\n<style>%s</style>%s' % (
        text[:first.start()], without_unused_values(''.join(sheets)), SHEET.sub('', text[first.start():]))
