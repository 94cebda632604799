#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""lighthouse.py SITE [--out FILE] [PAGE...]: what Lighthouse says of five pages of a built site (or of these), as a phone on a slow
network sees them: performance, accessibility, best practices and search, of 100; each page three times, of which the median counts.
--out writes that as results. The pages are served compressed, as hosts do. Lighthouse and its node come from npm once, into the folder
next to the site, with the versions below.
It is no test: what it says of performance depends on the computer and on what else it does (`benchmark` is its own measure of that).
Exit status: 0 at least 95 everywhere, 1 less, 3 it cannot run."""
import argparse
import datetime
import gzip
import json
import os
import statistics
import subprocess
import sys

import browser
import chromium

PACKAGES = 'lighthouse@12.8.2', 'node@22.23.3'
PAGES = 'index.html', 'steps/06-gpu-naive/index.html', 'docs/figures.html', 'exercises/06-first-kernel/index.html', 'playground/index.html'
KINDS = {'performance': 'performance', 'accessibility': 'accessibility', 'best-practices': 'best_practices', 'seo': 'search'}
ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))


class Compressed(browser.Quiet):
    def do_GET(self):
        path = self.translate_path(self.path)
        if not path.endswith(('.html', '.css', '.js', '.svg', '.json')) or not os.path.isfile(path):
            super().do_GET()
            return
        with open(path, 'rb') as file:
            data = gzip.compress(file.read(), 6)
        self.send_response(200)
        self.send_header('Content-Type', self.guess_type(path))
        self.send_header('Content-Encoding', 'gzip')
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def said(modules, address):
    """Lighthouse's scores of a page, and how fast it found the computer."""
    made = subprocess.run([modules + '/.bin/node', modules + '/lighthouse/cli/index.js', address, '--quiet', '--output', 'json',
                           '--chrome-flags=--headless=new --no-sandbox --disable-gpu'],
                          env={**os.environ, 'CHROME_PATH': chromium.find()}, stdout=subprocess.PIPE, check=True)
    report = json.loads(made.stdout)
    return {**{name: round(100 * (report['categories'][kind]['score'] or 0)) for kind, name in KINDS.items()},
            'benchmark': round(report['environment']['benchmarkIndex'])}


def main():
    options = argparse.ArgumentParser()
    options.add_argument('site')
    options.add_argument('--out')
    options.add_argument('pages', nargs='*', default=PAGES)
    given = options.parse_args()
    site = os.path.abspath(given.site)
    folder = os.path.join(site, '..', 'web', 'lighthouse')
    os.makedirs(folder, exist_ok=True)
    if not os.path.exists(folder + '/node_modules/lighthouse') and \
            subprocess.run(['npm', 'install', '--no-audit', '--no-fund', '--prefix', folder, *PACKAGES], stdout=subprocess.DEVNULL).returncode:
        return 3
    address, rows = browser.serve(site, Compressed), []
    for page in given.pages:
        runs = [said(folder + '/node_modules', address + page) for _ in range(3)]
        rows.append({'page': page, **{name: round(statistics.median(run[name] for run in runs)) for name in runs[0]}})
        print(', '.join('%s %s' % pair for pair in rows[-1].items()), flush=True)
    if given.out:
        def told(*command):
            return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout.strip()
        device = told('sed', '-n', 's/^model name[^:]*: *//p', '/proc/cpuinfo').split('\n')[0]
        conditions = {'device': '%s, %d cores, Lighthouse %s' % (device, os.cpu_count(), PACKAGES[0].split('@')[1]), 'driver': None, 'toolkit': None,
                      'date': str(datetime.date.today()), 'commit': told('git', 'rev-parse', '--short', 'HEAD'),
                      'busy_percent': int(told('tools/measure/machine', 'busy') or 0), 'command': ['tests/site/lighthouse.py']}
        with open(given.out, 'w', encoding='utf-8') as file:
            for row in ({'conditions': conditions}, *rows):
                file.write(json.dumps(row, separators=(',', ':')) + '\n')
    return 0 if all(row[name] >= 95 for row in rows for name in KINDS.values()) else 1


if __name__ == '__main__':
    sys.exit(main())
