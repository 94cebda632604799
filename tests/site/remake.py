#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""remake.py SITE LADDER BUILD [--seed SEED] [ITEM...]: makes three figures or tables again with `LADDER paper ITEM`,
drawn by SEED (default: today's date) from all that the site shows with numbers, or these, and compares them with
the site: every cell, what there is to see, and the plot but for the last digit of a coordinate.

Exit status: 0 equal, 1 not, 77 there is no site."""
import argparse
import datetime
import html
import os
import random
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def plain(text):
    """A page's HTML as words between single blanks."""
    return ' '.join(html.unescape(re.sub(r'<[^>]+>', '', text)).split())


def cells(text):
    return ' '.join('-' if word == '–' else word for word in text.split())


def on_site(site):
    """{item: (rows, what to see, its plot or None)} of the page with every figure; a row is (name, whose, cells)."""
    found = {}
    with open(os.path.join(site, 'docs', 'figures.html'), encoding='utf-8') as file:
        sections = file.read().split('<h3 ')[1:]
    for section in sections:
        item = re.search(r'<code>\./ladder paper ([^<]+)</code></p>\n<p>(.*?)</p>', section, re.S)
        rows = [[plain(cell) for cell in re.findall(r'<td[^>]*>(.*?)</td>', row, re.S)]
                for row in re.findall(r'<tr>(.*?)</tr>', section, re.S)]
        plot = re.search(r'<img src="(figures/[^"]+\.svg)"', section)
        found[item.group(1)] = ([(row[0], row[1], cells(' '.join(row[2:]))) for row in rows if row],
                                plain(item.group(2)), plot and os.path.join(site, 'docs', plot.group(1)))
    return found


def remade(ladder, build, item):
    """The same of what the command prints; also its exit status."""
    command = [ladder, 'paper', item]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding='utf-8', check=False,
                         env=dict(os.environ, LADDER_BUILD=build))
    rows, name, see, plot = [], '', '', None
    for line in run.stdout.split('\n'):
        see = line[len('What to see: '):] if line.startswith('What to see: ') else see
        row = re.match(r'(.*?)\s+(document|ours)\s+(.+)$', line)
        if row and not see:
            label, whose = ' '.join(row.group(1).split()), row.group(2)
            if whose == 'ours' and label.startswith('('): # what ran; on the site it stands behind "ours"
                whose = 'ours: ' + label[1:-1]
            else:
                name = label or name
            if set(row.group(3).split()) != {'-'}: # the site leaves out a row without numbers
                rows.append((name, whose, cells(row.group(3))))
        plot = line[len('The plot: '):] if line.startswith('The plot: ') else plot
    return rows, ' '.join(re.sub('[`*]', '', see).split()), plot, run.returncode


def version(plot):
    with open(plot, encoding='utf-8') as file:
        return re.search('Produced by.*', file.read()).group()


def differences(item, there, here):
    """What of an item is not as the site shows it."""
    rows, see, plot, status = here
    if status != 0:
        yield 'the command ends with status %d' % status
    for i in range(max(len(rows), len(there[0]))):
        ours, shown = (part[i] if i < len(part) else None for part in (rows, there[0]))
        if ours != shown:
            yield 'made again: %s\n    on the site: %s' % (ours, shown)
    if see != there[1]:
        yield 'what to see: %s\n    on the site: %s' % (see, there[1])
    if there[2] and plot and version(plot) == version(there[2]):
        run = subprocess.run(['awk', '-f', os.path.join(HERE, '..', 'nearly-equal.awk'), there[2], plot], check=False,
                             stdout=subprocess.PIPE, encoding='utf-8', env=dict(os.environ, LC_ALL='C'))
        if run.returncode != 0:
            yield 'the plot: ' + run.stdout
    elif there[2]:
        print('%s: the plot is not compared: gnuplot is another one than the site\'s, or not there' % item)


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
    numbers = [item for item in site if site[item][0]]
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
