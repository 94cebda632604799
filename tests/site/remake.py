#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""remake.py SITE LADDER BUILD [--seed SEED] [ITEM...]: makes three figures or tables again with `LADDER paper ITEM`,
drawn by SEED (default: today's date) from all that the site shows with numbers, or these, and compares them with
the site: its number, the verdict, what there is to see, and the plot but for the last digit of a coordinate.

Exit status: 0 equal, 1 not, 77 there is no site."""
import argparse
import datetime
import html.parser
import os
import random
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


class Words(html.parser.HTMLParser):
    """The words of HTML. Of a formula it takes the source, which the page keeps in addition to the visible form."""

    def __init__(self):
        super().__init__()
        self.inside, self.found = [], ''

    def handle_starttag(self, tag, attrs):
        if tag not in ('br', 'img', 'wbr'):
            self.inside.append('seen' if ('class', 'katex-html') in attrs else tag)

    def handle_endtag(self, tag):
        if self.inside:
            self.inside.pop()

    def handle_data(self, data):
        if 'seen' not in self.inside and ('math' not in self.inside or 'annotation' in self.inside):
            self.found += data


def plain(text):
    """A page's HTML as words between single blanks."""
    words = Words()
    words.feed(text)
    words.close()
    return ' '.join(re.sub(r'\^\{(\w+)\}', r'^\1', words.found).split())


def on_site(site):
    """{item: (row, column, the document's number, ours, agrees, what to see, its plot or None)} of the page with every figure."""
    found = {}
    with open(os.path.join(site, 'docs', 'figures.html'), encoding='utf-8') as file:
        text = file.read()
    for row in re.findall(r'<tr>(.*?)</tr>', text, re.S):
        all_cells = [plain(cell) for cell in re.findall(r'<td[^>]*>(.*?)</td>', row, re.S)]
        if len(all_cells) != 6:
            continue
        item, _, theirs, ours, agrees, _ = all_cells
        agrees, _, see = agrees.partition('. ')
        plot = os.path.join(site, 'docs', 'figures', item + '.svg')
        shown = 'figures/%s.svg"' % item in text
        name, _, number = theirs.rpartition(': ')
        row_name, _, column = name.rpartition(', ')
        found[item] = (row_name, column, number, ours.split(', ')[0], agrees, see, plot if shown else None)
    return found


def remade(ladder, build, item):
    """What the command prints: {(row, document or ours): its cells}, whether it agrees, what to see, the plot, and its status."""
    run = subprocess.run([ladder, 'paper', item], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding='utf-8', check=False,
                         env=dict(os.environ, LADDER_BUILD=build))
    rows, name, said = {}, '', {}
    for line in run.stdout.split('\n'):
        key = re.match(r'(What to see|Agrees|The plot): (.*)', line)
        if key:
            said[key.group(1)] = ' '.join(re.sub('[`*]', '', key.group(2)).split())
        row = re.match(r'(.*?)\s+(document|ours)\s+(.+)$', line)
        if row and 'What to see' not in said:
            label = ' '.join(row.group(1).split())
            name = name if label.startswith('(') else label or name
            rows[name, row.group(2)] = ' '.join(row.group(3).split())
    return rows, said.get('Agrees', ''), said.get('What to see', ''), said.get('The plot'), run.returncode


def version(plot):
    with open(plot, encoding='utf-8') as file:
        return re.search('Matplotlib v[0-9.]+', file.read()).group()


def differences(item, there, here):
    """What of an item is not as the site shows it."""
    rows, agrees, see, plot, status = here
    row, column, theirs, ours, on_page, why, kept = there
    if status != 0:
        yield 'the command ends with status %d' % status
    for whose, number in (('document', theirs), ('ours', ours)):
        if row and number not in rows.get((row, whose), ''):
            yield '%s, %s, %s: the site has %s, the command %s' % (row, column, whose, number, rows.get((row, whose)))
    if (agrees, see) != (on_page, why):
        yield 'made again: %s\n    on the site: %s' % ((agrees, see), (on_page, why))
    if kept and plot and version(plot) == version(kept):
        run = subprocess.run(['awk', '-f', os.path.join(HERE, '..', 'nearly-equal.awk'), kept, plot], check=False,
                             stdout=subprocess.PIPE, encoding='utf-8', env=dict(os.environ, LC_ALL='C'))
        if run.returncode != 0:
            yield 'the plot: ' + run.stdout
    elif kept:
        print('%s: the plot is not compared: Matplotlib is another one than the site\'s, or not there' % item)


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument('site')
    parser.add_argument('ladder')
    parser.add_argument('build')
    parser.add_argument('--seed', default=datetime.date.today().isoformat())
    parser.add_argument('items', nargs='*')
    sys.stdout.reconfigure(errors="backslashreplace")  # whatever the language
    given = parser.parse_args()
    if not os.path.exists(os.path.join(given.site, 'docs', 'figures.html')):
        print('skipped: no site in %s; ./ladder docs makes it' % given.site)
        return 77
    site = on_site(given.site)
    numbers = [item for item in site if site[item][0]]  # those with a number of both
    items = given.items or random.Random(given.seed).sample(numbers, 3)
    print('of %d with numbers, seed %s: %s' % (len(numbers), given.seed, ', '.join(items)))
    wrong = 0
    for item in items:
        for what in differences(item, site[item], remade(given.ladder, given.build, item)):
            wrong += 1
            print('%s: %s' % (item, what))
    print('%d made again, %d differences' % (len(items), wrong))
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
