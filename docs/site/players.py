#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""players.py BIN OUT: runs the programs in BIN that steps/*/player.json name, on the simulated GPU, and writes
their logs into OUT, as scripts that player.js plays. A step whose program is missing keeps its still
picture.

player.json:
  picture   the still picture that the player replaces, without .svg
  kind      addresses: what a half-warp touches, line after line
            schedule:  which quadrant each kernel reads and writes, and what every place holds
  why       for addresses, a sentence for each step: of the first entry whose variant, text and array the step's have as a part,
            whose op it has, which has a bank conflict (conflict) or not the first occurrence of its line (again). {row} is a
            matrix's row in bytes
  opens     the variant and the step that the reader sees first
  variants  for the reader to choose: names of the step's variants, or objects with a label, options, and the
            members of a run that differ; program: another step's, to compare two methods
  runs      for the reader to choose: objects with a label, the order n, and options ({half} is n/2)
"""
import concurrent.futures
import functools
import glob
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(os.path.join(ROOT, 'tools', 'draw'))  # what the still pictures show
import schedule as still  # pylint: disable=wrong-import-position


@functools.lru_cache(maxsize=None)  # several players show the same runs
def logged(program, *options):
    """The JSON lines that a program prints."""
    command = [program, '--reps', '0', '--warmup', '0', '--count', '--quiet', '--calls', '--addresses', 'all', *options]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False, encoding='utf-8')
    if run.returncode != 0:
        raise SystemExit('%s: exit status %d' % (' '.join(command), run.returncode))
    return [json.loads(line) for line in run.stdout.splitlines() if line.startswith('{')]


# ---- addresses ----

MATRICES = {1: 'A', 2: 'B', 3: 'C'}  # allocations are numbered in order, and A, B and C come first


def source_line(path, line, cache={}):
    if path not in cache:
        with open(os.path.join(ROOT, path), encoding='utf-8') as file:
            cache[path] = file.read().split('\n')
    return cache[path][line - 1].strip()


def reason(spec, variant, step, again):
    """Why a step touches what it touches."""
    def fits(entry):
        return (all(entry.get(key, '') in have for key, have in (('variant', variant), ('text', step['text']), ('array', step['array'])))
                and entry.get('op', step['op']) == step['op'] and (again or not entry.get('again'))
                and (not entry.get('conflict') or step['passes'] > step['ideal']))
    found = next((entry['why'] for entry in spec['why'] if fits(entry)), None)
    if not found:
        raise SystemExit('players: %s, variant %s: nothing says why: %s' % (spec['picture'], variant, step['text']))
    return found


def addresses(log, n, spec, variant):
    """The requests of one half-warp, in order."""
    steps, seen = [], set()
    for r in (r for r in log if 'lanes' in r):
        step = {key: r[key] for key in ('space', 'op', 'size', 'transactions', 'bytes', 'segments', 'passes', 'ideal',
                                        'banks', 'array', 'line', 'occurrence') if key in r}
        step['file'] = os.path.basename(r['file'])
        step['text'] = source_line(r['file'], r['line'])
        if r['space'] == 'global':
            step['array'] = MATRICES.get(r['lanes'][0][1], 'the workspace')
        step['lanes'] = [[lane, offset] for lane, _, offset in r['lanes']]
        place = step['line'], step['array']
        step['why'] = reason(spec, variant, step, place in seen).format(row=4 * n)
        seen.add(place)
        steps.append(step)
    opens = spec.get('opens', {})
    at = next((i for i, step in enumerate(steps) if all(step[key] == opens[key] for key in ('array', 'op') if key in opens)), 0)
    return {'n': n, 'steps': steps, **({'opens': at} if at else {})}


# ---- schedules ----

class Places:
    """Finds the quadrant or temporary that contains an address."""

    def __init__(self, n, workspace, levels):
        self.n, self.workspace, self.levels = n, workspace, levels

    def of(self, allocation, offset):
        """(quadrant or temporary, the quadrant in it or '')."""
        half, at = self.n // 2, offset // 4
        if allocation in MATRICES:
            row, column = divmod(at, self.n)
            name = MATRICES[allocation] + '12'[row // half] + '12'[column // half]
            return name, self.inner(row % half, column % half)
        if allocation != self.workspace:
            raise SystemExit('players: an access to memory that is no matrix and no workspace')
        which, rest = divmod(at, half * half)
        if which < 2:
            return 'T%d' % (which + 1), self.inner(*divmod(rest, half))
        return 't%d' % ((at - 2 * half * half) // (half // 2) ** 2 + 1), ''

    def inner(self, row, column):
        quarter = self.n // 4
        return '12'[row // quarter] + '12'[column // quarter] if self.levels > 1 else ''


class Launch:
    """A launch from the log: its kernel, and the places that it loads and stores."""

    def __init__(self, call, requests, places):
        self.kernel = call['kernel'].replace('_kernel', '')
        self.is_product = self.kernel.startswith(('mul', 'gpu8'))
        self.blocks, self.transactions, self.bytes = call['grid'][:2], call['transactions'], call['bytes']
        touched = {(r['op'], places.of(r['lanes'][0][1], r['lanes'][0][2])) for r in requests
                   if r['space'] == 'global' and not r['occurrence']}
        self.reads, self.writes = (sorted(place for op, place in touched if op == wanted) for wanted in ('load', 'store'))


def launches_of(log, n, levels):
    calls = {r['launch']: r for r in log if r.get('call') == 'launch'}
    requests = {}
    for r in log:
        if 'lanes' in r and r['launch'] in calls:
            requests.setdefault(r['launch'], []).append(r)
    workspace = max(lane[1] for r in log if 'lanes' in r and r['space'] == 'global' for lane in r['lanes'])
    places = Places(n, workspace, levels)
    return [Launch(calls[number], requests[number], places) for number in sorted(calls)]


def of_operation(launches, is_product, levels):
    """The next operation's launches: several for a product one level down, which has seven products and ends with the last."""
    count = 1
    while levels > 1 and is_product and sum(launch.is_product for launch in launches[:count]) < 7:
        count += 1
    taken, launches[:count] = launches[:count], []
    return taken


def nice(place):
    return place[0] + ('.' + place[1] if place[1] else '')


@functools.lru_cache(maxsize=None)
def level_of(plan):
    return still.Level(plan, named=False)


def schedule(log, n, levels, plan):
    """The launches of a run, and what every place holds after each: that is what the operations of one level of step `plan`
    leave there, as its still picture shows (tools/draw/schedule.py)."""
    level, launches, steps = level_of(plan), launches_of(log, n, levels), []

    def holds(values):
        words = {name: level.numbers.meaning(value)[1] for name, value in zip(level.names, values) if name[0] in 'CT'}
        return {name: re.sub(r'(?<=\w)([+−])', r' \1 ', said) for name, said in words.items() if said}

    for one in level.operations:
        group, after = of_operation(launches, one.product, levels), holds(one.after)
        left, right = (next((level.names[p] for p in one.factors() if one.read[p] == role), '') for role in (2, 3))
        for number, launch in enumerate(group, 1):
            name, now = launch.kernel, dict(after)
            if len(group) == 1:
                says = ', '.join('%s = %s' % (place, after[place]) for place in sorted(level.names[p] for p in one.written))
                name = '%s (M%d)' % (name.replace('gpu8', 'mul'), one.product) if one.product else name
            else:
                says = 'M%d = %s · %s, one level down: kernel %d of %d writes %s' % (
                    one.product, left, right, number, len(group), ' and '.join(nice(place) for place in launch.writes))
                if number < len(group):
                    now = holds(one.before)
                    now.pop(level.names[one.written[-1]], None)
            steps.append({'kernel': name, 'says': says, 'reads': launch.reads, 'writes': launch.writes, 'blocks': launch.blocks,
                          'transactions': launch.transactions, 'bytes': launch.bytes, 'holds': now})
    if launches:
        raise SystemExit('players: the run has %d launches more than the plan of step %s' % (len(launches), plan))
    return {'n': n, 'levels': levels, 'steps': steps}


# ---- all ----

def programs_of(spec, step):
    """The programs that produce a player's data."""
    names = {variant.get('program', step) for variant in variants_of(spec)}
    plans = {'draw-' + number for number in ('12', '13', '14', '15')} if spec['kind'] == 'schedule' else set()
    return sorted({name + '.sim' for name in names} | plans)


def variants_of(spec):
    return [{'label': variant, 'options': '--variant ' + variant} if isinstance(variant, str) else variant
            for variant in spec['variants']]


def cases_of(spec, step, bin_folder):
    """(variant's label, run, arguments of logged()) for every combination that the reader can choose."""
    for variant in variants_of(spec):
        for run in spec['runs']:
            run = {**run, **{key: value for key, value in variant.items() if key not in ('label', 'options')}}
            options = (variant['options'] + ' ' + run['options']).format(half=run['n'] // 2, **run)
            program = os.path.join(bin_folder, variant.get('program', step) + '.sim')
            yield variant['label'], run, (program, *options.split())


def made(spec, step, bin_folder):
    cases = []
    for label, run, command in cases_of(spec, step, bin_folder):
        log = logged(*command)
        if spec['kind'] == 'addresses':
            case = addresses(log, run['n'], spec, label)
        else:
            number = os.path.basename(command[0])[:2]
            plan = {'14': '12', '15': '13'}[number] if command[-2:] == ('--levels', '1') else number  # a fused level is step 12's
            case = schedule(log, run['n'], run.get('levels', 1), plan)
        cases.append({'variant': label, 'run': run['label'], **case})
    return {'kind': spec['kind'], **({'opens': spec['opens']['variant']} if 'opens' in spec else {}), 'cases': cases}


def main():
    bin_folder, out = sys.argv[1:]
    os.environ['PATH'] = os.path.abspath(bin_folder) + os.pathsep + os.environ['PATH']
    kept, stale = set(), []
    for path in sorted(glob.glob(os.path.join(glob.escape(ROOT), 'steps', '*', 'player.json'))):
        with open(path, encoding='utf-8') as file:
            spec = json.load(file)
        step = os.path.basename(os.path.dirname(path))
        programs = [os.path.join(bin_folder, name) for name in programs_of(spec, step)]
        target = os.path.join(out, spec['picture'] + '.js')
        kept.add(target)
        missing = [program for program in programs if not os.path.exists(program)]
        if missing:
            print('ladder: %s was not built: chapter %s keeps its still picture' % (missing[0], step[:2]), file=sys.stderr)
            if os.path.exists(target):
                os.remove(target)
            continue
        if os.path.exists(target) and all(os.path.getmtime(target) > os.path.getmtime(source)
                                          for source in (*programs, path, os.path.abspath(__file__), still.__file__)):
            continue
        stale.append((spec, step, target))
    # Every program runs once, one on each processor at a time; then the players read the logs.
    commands = sorted({command for spec, step, _ in stale for _, _, command in cases_of(spec, step, bin_folder)})
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda command: logged(*command), commands))
    for spec, step, target in stale:
        data = json.dumps(made(spec, step, bin_folder), ensure_ascii=False, separators=(',', ':'))
        with open(target + '.new', 'w', encoding='utf-8') as file:
            file.write('ladder_player(%s, %s);\n' % (json.dumps(spec['picture']), data))
        os.replace(target + '.new', target)
    for path in glob.glob(os.path.join(glob.escape(out), '*.js')):
        if path not in kept:
            os.remove(path)


if __name__ == '__main__':
    main()
