// SPDX-License-Identifier: MIT
// The captured warp step by step: a line, its threads, and the values that they read and wrote. simgpu/web/machine/steps.cpp
// records what each thread did; steps_of() makes steps of the warp from it.
const at = id => document.getElementById(id);
const verbs = ['read', 'write', 'change', 'read shared memory:', 'write shared memory:', 'change shared memory:', 'fetch'];
const heads = ['reads', 'writes', 'before → after', 'reads', 'writes', 'before → after', 'fetches', '', '', 'brings → gets', 'brings'];
const barrier = 7, warp_barrier = 8, shuffle = 9, vote = 10, pairs = [2, 5, shuffle];

/** The steps, in an order that each thread keeps: { launch, site, kind, size, threads: [{ thread, element, bytes }] }. What
 * threads do at a place for the k-th time since a barrier is one step, as it is one request in the counts. */
export function steps_of({ cut, most, events }) {
    const steps = [], of_thread = Map.groupBy(events, ([, thread]) => thread), launches = Map.groupBy(events, ([launch]) => launch);
    for (const [launch, mine] of launches) {
        const paths = new Map(), all = new Map();
        for (const [, thread, site, kind, size, element, bytes] of mine) {
            if (!paths.has(thread)) paths.set(thread, { thread, steps: [], done: 0, phase: 0, seen: {} });
            const path = paths.get(thread), place = `${path.phase} ${site} ${kind} ${size}`, key = `${place} ${path.seen[place] = (path.seen[place] ?? 0) + 1}`;
            if (kind === barrier) path.phase++;
            if (!all.has(key)) all.set(key, { launch, site, kind, size, threads: [] });
            all.get(key).threads.push({ thread, element, bytes });
            path.steps.push(all.get(key));
        }
        const next = path => path.steps[path.done];
        for (let left = all.size; left > 0; left--) {
            /* The next step is one that all of its threads have come to. */
            const open = [...paths.values()].filter(next).map(next);
            const step = open.find(s => s.threads.every(({ thread }) => next(paths.get(thread)) === s)) ?? open[0];
            steps.push(step);
            step.past = true;
            for (const path of paths.values()) while (next(path)?.past) path.done++;
            if (cut && [...paths.values()].some(path => !next(path) && of_thread.get(path.thread).length === most)) return steps; // it did more
        }
    }
    return steps;
}

// ---- values ----

const integer = (view, i, size) => `${size === 1 ? view.getInt8(i) : size === 2 ? view.getInt16(i, true) : size === 4 ? view.getInt32(i, true) : view.getBigInt64(i, true)}`;
const real = (view, i, size) => `${size === 4 ? +view.getFloat32(i, true).toPrecision(7) : view.getFloat64(i, true)}`;
/** A number whose type is not known: as an integer, its bits are few or many; as a real number, its exponent is near 0. */
function guessed(view, i, size) {
    const exponent = size === 4 ? view.getUint32(i, true) << 1 >>> 24 : size === 8 ? (view.getUint32(i + 4, true) << 1 >>> 24) : 0;
    return (exponent === 0 || exponent === 255 ? integer : real)(view, i, size);
}

/** Bytes as a text: `type` is LLVM's, of one number or a vector of them, or unknown. */
function shown(bytes, type) {
    const view = new DataView(Uint8Array.from(bytes.match(/../g) ?? [], byte => parseInt(byte, 16)).buffer), [name] = type?.match(/(float|double|ptr|i\d+)>?$/) ?? [];
    const size = Math.min(view.byteLength, { double: 8, i64: 8, i16: 2, i8: 1 }[name?.replace('>', '')] ?? 4), numbers = [];
    for (let i = 0; i < view.byteLength; i += size)
        numbers.push(!name ? guessed(view, i, size) : /^(float|double)/.test(name) ? real(view, i, size) : name === 'ptr' ? `0x${view.getUint32(i, true).toString(16)}` : integer(view, i, size));
    return numbers.join(', ');
}

// ---- the page ----

/** `on.mark(file, line)` shows the line in the editor, `on.text(file, line)` returns it. */
export function make_steps(on) {
    let steps = [], sites = [], result, types, now = 0;

    const place_of = ({ site }) => sites[site - 1] ?? { file: '', line: 0 };
    const array_of = (step, element) => `${step.launch} ${element.split('[')[0]}`;
    function value_of(step, { element, bytes }) {
        const type = place_of(step).type ?? types.get(array_of(step, element));
        if (step.kind === vote) return shown(bytes.slice(0, 8));
        if (!pairs.includes(step.kind)) return shown(bytes, type);
        const size = step.kind === shuffle && [8, 24].every(from => /^0*$/.test(bytes.slice(from, from + 8))) ? 4 : step.size;
        return [0, 16].map(from => shown(bytes.slice(from, from + 2 * size), size === 4 || step.kind !== shuffle ? type : 'double')).join(' → ');
    }
    function thread_name(step, thread) {
        const [, x, y, z] = result.steps.launches[step.launch];
        return y * z === 1 ? `${thread}` : `${thread} (${[thread % x, Math.floor(thread / x) % y, ...z > 1 ? [Math.floor(thread / x / y)] : []].join(', ')})`;
    }
    function says(step) {
        const many = step.threads.length, threads = `${many} thread${many === 1 ? '' : 's'}`, each = step.size === 1 ? '1 byte each' : `${step.size} bytes each`;
        if (step.kind === barrier) return `${threads} wait here until all threads of the block have come (a barrier).`;
        if (step.kind === warp_barrier) return `${threads} of the warp wait for each other.`;
        return step.kind === shuffle ? `${threads} exchange values.` : step.kind === vote ? `${threads} vote.` : `${threads} ${verbs[step.kind]} ${each}.`;
    }
    function table(step, threads) {
        const made = document.createElement('table'), columns = step.kind < barrier ? ['element'] : [];
        const row = (kind, ...texts) => made.insertRow().append(...texts.map(textContent => Object.assign(document.createElement(kind), { textContent })));
        row('th', 'thread', ...columns, heads[step.kind]);
        for (const t of threads) row('td', thread_name(step, t.thread), ...columns.map(name => t[name]), value_of(step, t));
        return made;
    }
    function show(number, mark = true) {
        now = Math.max(0, Math.min(number, steps.length - 1));
        const step = steps[now], { file, line } = place_of(step), last = result.steps.cut && now === steps.length - 1;
        at('steps_at').max = steps.length - 1;
        at('steps_at').value = now;
        at('steps_says').textContent = `Step ${now + 1} of ${steps.length}, ${result.lanes === 16 ? 'half-warp' : 'warp'} ${result.warp} of block ${result.block}, ` +
            `kernel ${result.steps.launches[step.launch][0]}, ${file.split('/').pop()}:${line}. ${says(step)}${last ? ` Later steps are not recorded: ${result.steps.most} of a thread are.` : ''}`;
        at('steps_line').textContent = on.text(file, line).trim();
        const threads = step.kind === barrier || step.kind === warp_barrier ? [] : step.threads.toSorted((a, b) => a.thread - b.thread);
        at('steps_threads').replaceChildren(...[threads.slice(0, 16), threads.slice(16)].filter(some => some.length).map(some => table(step, some)));
        if (mark) on.mark(file, line);
    }

    at('steps_back').onclick = () => show(now - 1);
    at('steps_on').onclick = () => show(now + 1);
    at('steps_at').oninput = () => show(+at('steps_at').value);
    at('steps_choices').onsubmit = event => event.preventDefault();
    at('steps_part').onkeydown = event => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (by && event.target.id !== 'steps_at') { show(now + by); event.preventDefault(); }
    };
    return {
        /** A run's result, and the places in its program. */
        show(given, places) {
            [result, sites, steps] = [given, places, steps_of(given.steps)];
            types = new Map(steps.flatMap(step => step.kind < barrier && place_of(step).type ? step.threads.map(t => [array_of(step, t.element), place_of(step).type]) : []));
            at('steps_part').hidden = !steps.length;
            if (steps.length) show(0, false);
        },
        /** The next step at a line. */
        to_line(file, line) {
            const here = steps.map((step, i) => i).filter(i => { const place = place_of(steps[i]); return place.line === line && place.file.endsWith(file); });
            if (here.length && !at('steps_part').hidden && !here.includes(now)) show(here.find(i => i > now) ?? here[0]);
        },
    };
}
