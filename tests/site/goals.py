#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""goals.py SITE OUT.jsonl: measures what the playground takes in headless Chromium: the first run on a warm cache and at
50 Mbit/s on a cold one (the server sends that slowly), from a change to its result in chapters 08 (n = 64) and 10 (n = 128), bytes and memory. Each is a
line of JSON in OUT, with its goal; the first line says where and when, and how busy other programs kept the machine before.
Takes about two minutes.
Exit status: 0 all goals reached, 1 not, 77 there is no Chromium or no playground."""
import datetime
import json
import os
import statistics
import subprocess
import sys
import threading
import time

import browser
from browsers import chromium
from playground import Playground

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
REPEATED = 5
BYTES_PER_SECOND = 50e6 / 8
LATENCY = 0.02  # seconds


class Slow(browser.Quiet):
    """Serves the site as a line of 50 Mbit/s does. The browser cannot be asked for it: it would not slow its workers down."""
    lock, free = threading.Lock(), [0.0]  # when the line is free again

    def do_GET(self):
        time.sleep(LATENCY)
        super().do_GET()

    def copyfile(self, source, outputfile):
        try:
            while True:
                part = source.read(1 << 15)
                if not part:
                    return
                with self.lock:
                    self.free[0] = max(self.free[0], time.monotonic()) + len(part) / BYTES_PER_SECOND
                    until = self.free[0]
                time.sleep(max(0, until - time.monotonic()))
                outputfile.write(part)
        except (BrokenPipeError, ConnectionResetError):
            pass


def measure(site, program):
    rows = []

    def row(what, value, unit, goal, spread=None):
        rows.append({'what': what, 'value': round(value, 3), 'unit': unit, 'goal': goal, 'reached': value <= goal,
                     **({'least': round(spread[0], 3), 'most': round(spread[1], 3)} if spread else {})})
        print('%-60s %8.2f %s, goal %g' % (what, value, unit, goal), flush=True)

    def seconds(run):
        begun = time.monotonic()
        said = run()
        if not said.startswith('No fault'):
            sys.exit('a run went wrong: %s' % said)
        return time.monotonic() - begun

    for cold in (True, False):
        with chromium.Browser(program) as page:
            page.show(True)
            page.size(1280)
            page.call('Network.enable')
            empty = sum(pss(process) for process in family(page))
            test = Playground(page, browser.serve(site, Slow if cold else browser.Quiet))
            test.open('#program=1-hello-threads')
            if cold:
                row('first run, 50 Mbit/s, nothing kept', seconds(test.run), 's', 20)
                continue
            test.run()
            test.open('#program=1-hello-threads')  # its files are kept by the service worker now
            row('first run, files kept', seconds(test.run), 's', 10)
            for chapter, n, old, goal in (('08-gpu-shared', 64, 'sum += as', 1.5), ('10-gpu8', 128, '__syncthreads();', 3)):
                test.choose('#program=%s&n=%d' % (chapter, n))
                test.run()
                # The browser makes the compiler faster while it is used: the first changes may take longer.
                for which in ('the first five', 'later ones'):
                    times = []
                    for again in range(REPEATED):
                        test.edit(old, ('/* %d */ ' % again) + old)
                        times.append(seconds(test.run))
                    row('from a change to its result, %s, n = %d, %s' % (chapter, n, which), statistics.median(times), 's', goal, (min(times), max(times)))
            used = sum(pss(process) for process in family(page))
            row('memory that the page takes, besides %.0f MB of the empty browser' % (empty / 1e6), (used - empty) / 1e6, 'MB', 1000)
    folder = os.path.join(site, 'playground')
    row('bytes of all files', sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder)) / 1e6, 'MB', 40)
    return rows


def family(page):
    """The browser's process and all that it started."""
    parents = {}
    for name in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open('/proc/%s/stat' % name, encoding='utf-8') as file:
                parents[int(name)] = int(file.read().rsplit(')', 1)[1].split()[1])
        except OSError:
            pass
    found = [page.process.pid]
    for process in found:
        found += [child for child, parent in parents.items() if parent == process]
    return found


def pss(process):
    """Bytes of a process, what it shares counted in parts."""
    try:
        with open('/proc/%d/smaps_rollup' % process, encoding='utf-8') as file:
            return next(1024 * int(line.split()[1]) for line in file if line.startswith('Pss:'))
    except (OSError, StopIteration):
        return 0


def told(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def main():
    site, out = os.path.abspath(sys.argv[1]), sys.argv[2]
    program = chromium.find()
    if not program or not os.path.exists(os.path.join(site, 'playground', 'index.html')):
        print('skipped: there is no Chromium, or no playground in %s (./ladder docs makes it)' % site)
        return 77
    busy, rows = int(told(os.path.join(ROOT, 'tools', 'measure', 'machine'), 'busy')), measure(site, program)
    device = '%s, %d cores%s' % (told('sed', '-n', 's/^model name[^:]*: *//p', '/proc/cpuinfo').split('\n')[0], os.cpu_count(),
                                 ', used by other programs at the same time' if busy >= 10 else '')
    with open(out, 'w', encoding='utf-8') as file:
        where = {'conditions': {'device': device, 'driver': None, 'toolkit': None, 'date': datetime.date.today().isoformat(),
                                'busy_percent': busy, 'command': ['tests/site/goals.py']}}
        for line in [where, *rows]:
            file.write(json.dumps(line) + '\n')
    return 0 if all(line['reached'] for line in rows) else 1


if __name__ == '__main__':
    sys.exit(main())
