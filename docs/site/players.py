#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""players.py BIN OUT: runs the programs in BIN that steps/*/player.json name, on the simulated GPU, and writes
their logs into OUT, as scripts that player.js plays. A step whose program is missing keeps its still
picture.

player.json:
  picture   the still picture that the player replaces, without .svg
  kind      addresses: what a half-warp touches, line after line
            schedule:  which quadrant each kernel reads and writes, and what every place holds
            streams:   the kernels of several streams over time
  why       for addresses, a sentence for each step: of the first entry whose variant, text and array the step's have as a part,
            whose op it has, which has a bank conflict (conflict) or not the first occurrence of its line (again). {row} is a
            matrix's row in bytes
  opens     the variant and the step that the reader sees first
  variants  for the reader to choose: names of the step's variants, or objects with a label, options, and the
            members of a run that differ; program: another step's, to compare two methods
  runs      for the reader to choose: objects with a label, the order n, options ({half} is n/2), and for streams
            the order and the levels that are logged, and the rates for which the boxes are drawn
"""
import concurrent.futures
import functools
import glob
import itertools
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STREAMS = os.path.join(ROOT, 'tools', 'draw', 'streams.py')  # draws the still picture, too
sys.path.append(os.path.dirname(STREAMS))
import streams as drawer  # pylint: disable=wrong-import-position


@functools.lru_cache(maxsize=None)  # several players show the same runs
def logged(program, addresses_too, *options):
    """The JSON lines that a program prints."""
    command = [program, '--reps', '0', '--warmup', '0', '--count', '--quiet', '--calls',
               *(['--addresses', 'all'] if addresses_too else []), *options]
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

# How a kernel uses the places that it touches: its loads and stores in order, each place a letter
# (P is the product of the first two), and what the places hold afterwards.
KERNELS = {
    'add_kernel': ('XYZ', {'Z': 'X+Y'}),
    'sub_kernel': ('XYZ', {'Z': 'X-Y'}),
    'gpu8': ('WXZ', {'Z': '+P'}),
    'mulIncInc_kernel': ('WXYYZZ', {'Y': 'Y+P', 'Z': 'Z+P'}),
    'mulIncDec_kernel': ('WXYYZZ', {'Y': 'Y+P', 'Z': 'Z-P'}),
    'mulStoreInc_kernel': ('WXYZZ', {'Y': '+P', 'Z': 'Z+P'}),
    'mulStoreDec_kernel': ('WXYZZ', {'Y': '+P', 'Z': 'Z-P'}),
    'mulAdd_kernel': ('WXYZ', {'Z': 'Y+P'}),
    'mulIncIncInc_kernel': ('UVWYZZXY', {'W': '+P', 'Z': 'Z+Y+P', 'Y': 'Y+P+X'}),
    'mulSubInc_kernel': ('VWXYZZ', {'Y': 'X-P', 'Z': 'Z+X'}),
    'pair_kernel': ('XYZXY', {'X': 'X?Z', 'Y': 'Y+Z'}),  # ?: the kernel's last argument decides
    'form_c12_c11_kernel': ('XYZTXY', {'X': 'X+Y+T', 'Y': 'Y+Z+T'}),
    'form_c21_c22_kernel': ('XYVXY', {'X': 'V-X', 'Y': 'Y+V'}),
}
# The products under the chapters' names.
NAMES = {
    'M1': ('A11+A22', 'B11+B22'), 'M2': ('A21+A22', 'B11'), 'M3': ('A11', 'B12-B22'), 'M4': ('A22', 'B21-B11'),
    'M5': ('A11+A12', 'B22'), 'M6': ('A21-A11', 'B11+B12'), 'M7': ('A12-A22', 'B21+B22')}, {
    'M1': ('A21+A22-A11', 'B22-B12+B11'), 'M2': ('A11', 'B11'), 'M3': ('A12', 'B21'), 'M4': ('A11-A21', 'B22-B12'),
    'M5': ('A21+A22', 'B12-B11'), 'M6': ('A12-A21-A22+A11', 'B22'), 'M7': ('A22', 'B22-B12+B11-B21')}


def terms(text):
    """'A11-A21' as {'A11': 1, 'A21': -1}."""
    found, sign, name = {}, 1, ''
    for letter in text + '+':
        if letter in '+-':
            if name:
                found[name] = found.get(name, 0) + sign
            sign, name = 1 if letter == '+' else -1, ''
        else:
            name += letter
    return found


def combined(effect, values, sign):
    """The value of 'X-P', given the values of X and P."""
    total = {}
    for letter, factor in terms(effect.replace('?', sign)).items():
        for term, count in values[letter].items():
            total[term] = total.get(term, 0) + factor * count
    return {term: count for term, count in total.items() if count}


def words(value):
    """Writes {'A11': 1, 'A21': -1} as people do."""
    text = ''.join((' − ' if count < 0 else ' + ') + ('%d ' % abs(count) if abs(count) > 1 else '') + term
                   for term, count in sorted(value.items(), key=lambda item: (item[1] < 0, item[0])))
    return text[3:] if text.startswith(' + ') else '−' + text[3:]


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
    """A launch from the log: its kernel, and the places that it loads and stores, in order."""

    def __init__(self, call, requests, places):
        self.kernel = call['kernel']
        self.is_product = self.kernel.startswith(('mul', 'gpu8'))
        self.blocks, self.transactions, self.bytes = call['grid'][:2], call['transactions'], call['bytes']
        self.columns = call['grid'][0] * (64 if call['block'][0] == 32 else 128)
        self.events, seen = [], set()
        for r in requests:
            if r['space'] != 'global' or r['occurrence']:
                continue
            # Several lines of a product load its factors, many times; elsewhere one line may load two places.
            place = places.of(r['lanes'][0][1], r['lanes'][0][2])
            access = (self.is_product or r['line'], r['op'], place)
            if access not in seen:
                seen.add(access)
                self.events.append((r['op'], place))
        self.reads = sorted({place for op, place in self.events if op == 'load'})
        self.writes = sorted({place for op, place in self.events if op == 'store'})
        pattern = KERNELS[self.kernel][0]
        if len(pattern) != len(self.events):
            raise SystemExit('players: %s touches %d places, not %s' % (self.kernel, len(self.events), pattern))
        self.role = dict(zip(pattern, (place for _, place in self.events)))


def launches_of(log, n, levels):
    calls = {r['launch']: r for r in log if r.get('call') == 'launch'}
    requests = {}
    for r in log:
        if 'lanes' in r and r['launch'] in calls:
            requests.setdefault(r['launch'], []).append(r)
    workspace = max(lane[1] for r in log if 'lanes' in r and r['space'] == 'global' for lane in r['lanes'])
    places = Places(n, workspace, levels)
    return [Launch(calls[number], requests[number], places) for number in sorted(calls)]


def is_product(value):
    return bool(value) and all(len(term) == 2 and isinstance(term, tuple) for term in value)


def product(left, right):
    return {(a, b): x * y for a, x in left.items() for b, y in right.items()}


class Matrices:
    """What every place holds: sums of A's and B's quadrants, or of products, which get names."""

    def __init__(self):
        self.holds = {name + i + j: {name + i + j: 1} for name in 'AB' for i in '12' for j in '12'}
        self.products = {}  # name -> its value in quadrants of A and B

    def multiply(self, left, right):
        """The product of two places, by name."""
        value = product(self.holds[left], self.holds[right])
        negative = {term: -count for term, count in value.items()}
        for name, other in self.products.items():
            if value == other:
                return {name: 1}
        for table in NAMES:
            for name, (a, b) in table.items():
                if value == product(terms(a), terms(b)) and self.fits(table):
                    self.products[name] = value
                    return {name: 1}
                if negative == product(terms(a), terms(b)):
                    raise SystemExit('players: a product with the other sign')
        raise SystemExit('players: a product that no chapter has')

    def fits(self, table):
        """Whether this table names the products so far."""
        return all(value == product(terms(table[name][0]), terms(table[name][1])) for name, value in self.products.items())

    def check(self):
        """Checks that C = A B; otherwise the log was misread."""
        for i, j in itertools.product('12', '12'):
            total = {}
            for name, count in self.holds['C' + i + j].items():
                for term, factor in self.products[name].items():
                    total[term] = total.get(term, 0) + count * factor
            total = {term: count for term, count in total.items() if count}
            if total != {('A' + i + l, 'B' + l + j): 1 for l in '12'}:
                return False
        return True


def nice(place):
    return place[0] + ('.' + place[1] if place[1] else '')


def schedule(log, n, levels):
    launches = launches_of(log, n, levels)
    unknown = sum(launch.kernel == 'pair_kernel' and launch.columns == n // 2 for launch in launches)
    for signs in itertools.product('+-', repeat=unknown):
        played = play(launches, n, levels, list(signs))
        if played:
            return {'n': n, 'levels': levels, 'steps': played}
    raise SystemExit('players: what the program logged does not compute A B')


def play(launches, n, levels, signs):
    """The steps and what every place holds after each, or None if the result is not A B."""
    matrices, steps, i = Matrices(), [], 0
    while i < len(launches):
        group = [launches[i]]
        while levels > 1 and group[0].columns < n // 2 and i + len(group) < len(launches) and \
                launches[i + len(group)].columns < n // 2 and not ends_product(group):
            group.append(launches[i + len(group)])
        i += len(group)
        if len(group) > 1:
            inner_steps(group, matrices, steps)
        else:
            one_step(group[0], matrices, steps, signs)
    return steps if matrices.check() else None


def ends_product(group):
    """One level has seven products: 17 kernels in Figure 12, 15 in Figure 13."""
    return sum(launch.is_product for launch in group) == 7 and group[-1].is_product


def one_step(launch, matrices, steps, signs):
    pattern, effects = KERNELS[launch.kernel]
    values = {letter: matrices.holds.get(place[0], {}) for letter, place in launch.role.items()}
    name = launch.kernel.replace('_kernel', '').replace('gpu8', 'mul')
    if 'mul' in name:
        values['P'] = matrices.multiply(launch.role[pattern[0]][0], launch.role[pattern[1]][0])
        name += ' (%s)' % next(iter(values['P']))
    sign = signs.pop(0) if '?' in ''.join(effects.values()) else ''
    after = {launch.role[letter][0]: combined(effect, values, sign) for letter, effect in effects.items()}
    matrices.holds.update(after)
    says = ', '.join('%s = %s' % (place, words(value)) for place, value in sorted(after.items()))
    steps.append(state(launch, matrices, name, says))


def inner_steps(group, matrices, steps):
    """The kernels of one recursive product: the places that it uses, and the product when it is complete."""
    left, right = group[0].reads[0][0], group[1].reads[0][0]
    if left[0] not in 'ATC' or group[0].is_product:
        raise SystemExit('players: a recursive product begins with another kernel than a sum')
    to = group[-1].writes[-1][0]
    value = matrices.multiply(left, right)
    name = next(iter(value))
    matrices.holds.pop(to, None)
    for number, launch in enumerate(group, 1):
        if number == len(group):
            matrices.holds[to] = value
        says = '%s = %s · %s, one level down: kernel %d of %d writes %s' % (
            name, left, right, number, len(group), ' and '.join(nice(place) for place in launch.writes))
        steps.append(state(launch, matrices, launch.kernel.replace('_kernel', ''), says))


def state(launch, matrices, name, says):
    return {'kernel': name, 'says': says, 'reads': launch.reads, 'writes': launch.writes, 'blocks': launch.blocks,
            'transactions': launch.transactions, 'bytes': launch.bytes,
            'holds': {place: words(value) for place, value in matrices.holds.items() if place[0] in 'CT'}}


# ---- streams ----

def streams(log, run):
    """Kernels on their streams over time, from the program that draws the still picture."""
    return drawer.player([row for row in log if 'call' in row],
                         *(run[key] for key in ('n', 'logged', 'levels', 'flops', 'bandwidth')))


# ---- all ----

def programs_of(spec, step):
    """The programs that produce a player's data."""
    return sorted({variant.get('program', step) + '.sim' for variant in variants_of(spec)})


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
            yield variant['label'], run, (program, spec['kind'] != 'streams', *options.split())


def made(spec, step, bin_folder):
    cases = []
    for label, run, command in cases_of(spec, step, bin_folder):
        log = logged(*command)
        if spec['kind'] == 'addresses':
            case = addresses(log, run['n'], spec, label)
        elif spec['kind'] == 'schedule':
            case = schedule(log, run['n'], run.get('levels', 1))
        else:
            case = streams(log, run)
        cases.append({'variant': label, 'run': run['label'], **case})
    return {'kind': spec['kind'], **({'opens': spec['opens']['variant']} if 'opens' in spec else {}), 'cases': cases}


def main():
    bin_folder, out = sys.argv[1:]
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
                                          for source in (*programs, path, os.path.abspath(__file__), STREAMS)):
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
