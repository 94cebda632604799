// SPDX-License-Identifier: MIT
// The playground's page: programs to choose from, the editor, and a run's results. One worker compiles all programs
// (compiler.mjs), and each runs in a separate worker (runner.mjs), so that this page stays responsive.
import * as compare from './views/compare.mjs';
import { make_editor } from './editor.mjs';
import * as exercise from './exercise.mjs';
import { place, words_of, words_of_thread } from './views/picture.mjs';
import { make_steps } from './views/steps.mjs';

const seconds_at_most = 15; // a program that runs longer is stopped
const at = id => document.getElementById(id);
const say = text => { at('said').textContent = text; };

// ---- what is chosen: a program, its settings, and the edited files ----

let list, exercises, compressed, chosen, edits = {}, before = {}, shown_file, editor, steps; // before: edits that others have replaced
let compiled = null; // { key, ...compiler.mjs's answer } for the last program that compiled
let result = null;

const files_of = () => ({ ...chosen.files, ...edits });
const settings = ['variant', 'n', 'compare', 'rules', 'seed', 'launch', 'block', 'thread'];
const lanes = () => at('rules').value === 'c1060' ? 16 : 32; // of a half-warp, or of a warp: what makes one request

function options(select, entries, value) {
    select.replaceChildren(...entries.map(([value, text]) => Object.assign(document.createElement('option'), { value, textContent: text })));
    if (entries.some(([known]) => String(known) === String(value))) select.value = value;
}

/** Shows a program or an exercise with these settings (texts by name, as in the address): the reader's code, or what another
 * person's address has in it. */
async function choose(id, given = {}, shared = null) {
    const found = exercises.find(e => e.id === id);
    if (found) { await choose_exercise(found, shared); return; }
    chosen = list.find(p => p.id === id) ?? list[0];
    show_program(given, kept().edits, shared);
}

async function choose_exercise(found, shared) {
    const { stub, work, task } = await exercise.exercise_texts(found), file = `exercise.${found.suffix}`;
    chosen = { ...found, exercise: found, main: file, files: { [file]: stub }, shown: [file], defines: [], variants: [], sizes: [] };
    at('task_text').replaceChildren(exercise.shown(task));
    show_program({}, { [file]: work }, shared);
    await show_states();
}

function show_program(given, own, shared) {
    const changes = files => Object.fromEntries(Object.entries(files ?? {}).filter(([file, text]) => file in chosen.files && text !== chosen.files[file]));
    edits = changes(shared ?? own);
    before = shared && any(changes(own)) && !same(edits, changes(own)) ? changes(own) : kept().before ?? {};
    at('program').value = chosen.id;
    at('task').hidden = !chosen.exercise;
    at('run').textContent = chosen.exercise ? 'Check' : 'Run';
    for (const name of ['rules', 'seed']) at(name).parentElement.hidden = Boolean(chosen.exercise);
    options(at('variant'), chosen.variants.map(v => [v, v]), given.variant);
    options(at('n'), chosen.sizes.map(n => [n, n]), given.n);
    at('variant_label').hidden = !chosen.variants.length;
    at('n_label').hidden = !chosen.sizes.length;
    options(at('compare'), [['', 'nothing'], ['original', 'the original text'], ...chosen.variants.map(v => [v, v]),
        ...list.filter(p => p !== chosen && p.sizes.some(n => chosen.sizes.includes(n))).map(p => [p.id, p.title])], given.compare);
    at('compare_label').hidden = Boolean(chosen.exercise);
    for (const name of settings.slice(3)) at(name).value = given[name] ?? (name === 'rules' ? 'modern' : 0);
    at('back').hidden = !any(before);
    forget();
    show_file(chosen.shown.includes(given.file) ? given.file : chosen.shown[0]);
}

// ---- what the reader types is kept in the browser ----

const kept_as = () => `ladder-playground/${chosen.id}`, same = (a, b) => JSON.stringify(a) === JSON.stringify(b), any = changes => Object.keys(changes).length > 0;

/** { edits, before } of the chosen program. An exercise's code is a file of the lab's. */
function kept() {
    try { return JSON.parse(localStorage.getItem(kept_as())) ?? {}; } catch { return {}; }
}
function keep() {
    try {
        if (any(edits) || any(before)) localStorage.setItem(kept_as(), JSON.stringify({ edits, before })); else localStorage.removeItem(kept_as());
        if (chosen.exercise) exercise.remember_work(chosen.exercise, edits[chosen.main]);
    } catch { say('This browser stores nothing: save the file before you leave the page.'); }
    at('back').hidden = !any(before);
    if (location.hash.includes('edits=')) follow();
}
/** Shows other changes in place of the reader's, which a button brings back. */
function replace(changes, said) {
    [before, edits] = [edits, changes];
    keep();
    forget();
    show_file(shown_file);
    say(said);
}

/** Shows the reader's progress, in the list and below the task. */
async function show_states() {
    const states = await exercise.states(), done = exercises.filter(e => states[e.id] === 'done').length;
    for (const option of at('program').querySelectorAll('optgroup:last-child option'))
        option.textContent = `${{ new: '', started: '… ', done: '✓ ' }[states[option.value]]}${exercises.find(e => e.id === option.value).title}`;
    at('progress_says').textContent = `${done} of ${exercises.length} passed. Progress is kept in this browser. You can save it as the file lab/progress of ./ladder lab, ` +
        `and load that file here. A goal in time (${exercises.filter(e => e.timed).map(e => e.id).join(', ')}) compares your function with the one before it, ` +
        'both as WebAssembly in this page: ./ladder lab check decides if the page misses it. All other goals are the same here and there.';
}

function show_file(file) {
    shown_file = file;
    at('files').replaceChildren(...(chosen.shown.length > 1 ? chosen.shown : []).map(name => {
        const tab = Object.assign(document.createElement('button'), { type: 'button', textContent: name.split('/').pop(), onclick: () => { show_file(name); follow(); } });
        tab.setAttribute('role', 'tab');
        tab.setAttribute('aria-selected', name === file);
        return tab;
    }));
    const [, step] = file.match(/^steps\/([^/]+)\//) ?? [], page = step ? `steps/${step}/index` : chosen.page;
    at('from').hidden = !page;
    at('file').textContent = chosen.exercise ? `exercises/${chosen.id}` : file;
    at('chapter').href = `../${page}.html`;
    at('chapter').textContent = chosen.from ?? list.find(p => p.id === (step ?? page?.split('/')[1]))?.title ?? (chosen.exercise ? 'its chapter' : 'the primer');
    editor.show(files_of()[file]);
    show_marks();
}

function forget() {
    result = null;
    for (const part of ['report_part', 'picture_part', 'steps_part', 'compare_part']) at(part).hidden = true;
    at('output').textContent = at('line_says').textContent = '';
}

// ---- the address holds everything that is chosen, so that it can be shared ----

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
const packed = async text => btoa(String.fromCharCode(...await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'))))
    .replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
const unpacked = async text => new TextDecoder().decode(await through(
    Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), c => c.charCodeAt(0)), new DecompressionStream('deflate-raw')));

function address(packed_edits, page = location.pathname + (document.documentElement.dataset.embed ? '?embed' : '')) {
    const all = new URLSearchParams({ program: chosen.id, file: shown_file });
    for (const name of settings) if (at(name).value && at(name).value !== '0' && at(name).value !== 'modern') all.set(name, at(name).value);
    if (packed_edits) all.set('edits', packed_edits);
    return `${page}#${all}`;
}
const packed_edits = async () => any(edits) && await packed(JSON.stringify(edits));
/** The address changes with what is chosen. With another program it gets an entry in the browser's history. */
function follow(another = false) {
    if (address() !== location.pathname + location.search + location.hash) history[another ? 'pushState' : 'replaceState'](null, '', address());
}

async function from_address() {
    const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1) || location.search)); // a chapter's button: ?
    let shared = null;
    try { if (given.edits) shared = JSON.parse(await unpacked(given.edits)); } catch { say('The address is cut off: its changes could not be read.'); }
    await choose(given.program, given, shared);
    if (!shared) follow();
    else if (any(before)) say('This address holds a different text of the program. Yours is kept: press Bring back my text.');
}

// ---- a run ----

let compiler = null, runner = null;

/** The compiler's answer for the program. */
function compiled_by_worker(program) {
    let came = 0;
    compiler ??= new Worker('compiler.js', { type: 'module' });
    return new Promise((resolve, reject) => {
        const failed = why => { compiler?.terminate(); compiler = null; reject(new Error(`The compiler could not be started: ${why}. Press ${at('run').textContent} to try again.`)); };
        compiler.onerror = e => failed(e.message || 'it did not arrive');
        compiler.onmessage = ({ data }) => {
            if (data.bytes) {
                came += data.bytes;
                at('progress').hidden = false;
                at('progress').value = came / compressed;
                say(`Fetching the compiler, once: ${(came / 1e6).toFixed(1)} of ${(compressed / 1e6).toFixed(1)} MB`);
            } else if (data.failed) failed(data.failed);
            else if (data.error) reject(Object.assign(new Error(data.error), { by_compiler: true }));
            else resolve(data);
            if (data.bytes && came >= compressed) say('Compiling …');
        };
        compiler.postMessage(program);
    }).finally(() => { at('progress').hidden = true; });
}

function print(stream, text) {
    const shown = document.createElement('span');
    shown.className = stream;
    shown.textContent = text;
    at('output').append(shown);
}

/** Runs a compiled program: { status, result } or { crash } or { late: true }. */
function run_in_worker({ runtime, program, sites }, files, { main, sizes, variants, options }, variant) {
    const args = [main, ...(sizes.length ? ['--n', at('n').value, '--variant', variant, ...options] : variants.length ? [variant] : [])];
    const environment = [`SIMGPU_GPU=${at('rules').value}`, 'SIMGPU_LIMIT=10', ...(+at('seed').value ? [`SIMGPU_SHUFFLE=${at('seed').value}`] : [])];
    runner = new Worker('runner.js', { type: 'module' });
    at('stop').disabled = false;
    return new Promise(resolve => {
        const late = setTimeout(() => resolve({ late: true }), seconds_at_most * 1000);
        at('stop').onclick = () => resolve({ stopped: true });
        runner.onerror = e => resolve({ crash: e.message || 'a file of the page did not arrive' });
        runner.onmessage = ({ data }) => { if (data.text) print(data.stream, data.text); else { clearTimeout(late); resolve(data); } };
        runner.postMessage({ runtime, program, sites, files, args, environment, launch: +at('launch').value, block: +at('block').value, warp: warp_of_thread() });
    }).finally(() => { runner.terminate(); runner = null; });
}

/** The warp of the chosen thread, which is shown. */
function warp_of_thread() {
    at('warp').value = Math.floor(at('thread').value / lanes());
    return +at('warp').value;
}

const key_of_program = () => JSON.stringify([chosen.id, edits]);

async function run() {
    if (at('run').disabled) return; // a program is running
    if (chosen.exercise) { await check(); return; }
    const files = files_of(), key = key_of_program(), begun = performance.now();
    at('run').disabled = true;
    forget();
    show_marks();
    try {
        if (compiled?.key !== key) {
            say(compiler ? 'Compiling …' : 'Fetching the compiler …');
            compiled = { key, ...await compiled_by_worker({ main: chosen.main, files, defines: chosen.defines }) };
        }
        keep_page();
        say('Running …');
        const end = await run_in_worker(compiled, files, chosen, at('variant').value);
        const took = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
        if (end.late) say(`Ended: the program was still running after ${seconds_at_most} seconds. If none of its loops is endless, choose a smaller size.`);
        else if (end.stopped) say('Stopped.');
        else if (key !== key_of_program()) say('The program was changed meanwhile. Run it again.');
        else if (end.crash) say(`The program's host code crashed: ${end.crash}.`);
        else {
            result = { ...end.result, block: at('block').value, warp: at('warp').value, lanes: lanes() };
            const faults = result.faults.length;
            say((faults ? `${faults} ${faults === 1 ? 'fault' : 'faults'}, at ${faults === 1 ? 'its line' : 'their lines'}. ` : 'No fault. ') +
                `Exit status ${end.status}, ${took}.${end.cut ? ' The rest of the output is left out.' : ''}`);
            show_result();
            if (at('compare').value && at('compare').value !== at('variant').value) await run_other(files);
        }
    } catch (e) {
        say(e.by_compiler ? 'It does not compile.' : e.message);
        if (e.by_compiler) { print('err', e.message); result = errors_of(e.message); show_marks(true); }
    } finally {
        at('run').disabled = false;
        at('stop').disabled = true;
    }
}

/** Runs what the reader has chosen to compare with, and shows the counts of both. */
async function run_other(files) {
    const other = at('compare').value, variant = at('variant').value, first = result, p = chosen.variants.includes(other) || other === 'original' ? chosen : list.find(p => p.id === other);
    const theirs = other === 'original' || p !== chosen ? p.files : files, named = p === chosen && other !== 'original' ? other : p === chosen ? 'the original' : p.variants[0];
    const made = same(theirs, files) ? compiled : await compiled_by_worker({ main: p.main, files: theirs, defines: p.defines });
    print('out', `${named}:\n`);
    const end = await run_in_worker(made, theirs, p, p !== chosen ? p.variants[0] : other === 'original' ? variant : other);
    if (result !== first) return; // the reader has gone on
    const names = [variant || chosen.main, named], rows = end.result ? compare.rows_of([{ sites: result.sites, files }, { sites: end.result.sites, files: theirs }]) : [];
    at('compare_says').textContent = rows.length ? compare.words_of_runs(rows, names) + `${rows.filter(compare.differ).length} of ${rows.length} lines differ.` : `Nothing to compare: no kernel was counted in ${named}.`;
    compare.fill(at('compared'), rows, names, go_to);
    at('compare_part').hidden = false;
}

// ---- an exercise: the lab asks for a compiler, and for runs of its programs ----

/** One process for the lab: a compiler in its worker, a program in a new worker. */
async function carry_out(argv, source, files, linked) {
    if (!argv[0].endsWith('/program')) {
        const made = await compiled_by_worker({ lab: argv, source });
        if (made.program) Object.assign(linked, made);
        return made.answer;
    }
    runner = new Worker('runner.js', { type: 'module' });
    at('stop').disabled = false;
    return new Promise((resolve, reject) => {
        const late = setTimeout(() => resolve({ status: -1, signal: 9, late: 1 }), 60000);
        at('stop').onclick = () => reject(new Error('Stopped.'));
        runner.onerror = () => resolve({ status: -1, signal: 11 });
        runner.onmessage = ({ data }) => { clearTimeout(late); resolve(data.answer); };
        runner.postMessage({ ...linked, files, exercise: argv });
    }).finally(() => { runner.terminate(); runner = null; });
}

async function check() {
    const found = chosen.exercise, text = files_of()[chosen.main], linked = {}, begun = performance.now(), shown = said => { at('output').textContent = said; };
    at('run').disabled = true;
    forget();
    show_marks();
    say('Checking …');
    try {
        const done = await exercise.check(found, text, (argv, source, files) => carry_out(argv, source, files, linked), said => { shown(said); say('Checking …'); });
        shown(done.out + done.err);
        say(`${done.status === 0 ? 'Passed' : 'Not yet'}, ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
        if (chosen.exercise === found && done.status !== 0) { result = errors_of(done.out); show_marks(true); }
        await show_states();
    } catch (e) {
        say(e.message);
    } finally {
        keep_page();
        at('run').disabled = false;
        at('stop').disabled = true;
    }
    show_output();
}

/** On a phone the output is far below the button. */
const show_output = () => at('output_part').scrollIntoView({ block: 'nearest' });
/** Once the compiler is here, the service worker fetches what is left, so that all works without a network. */
const keep_page = () => navigator.serviceWorker?.ready.then(({ active }) => active.postMessage('all'));

/** The compiler's errors in the form of a result: FILE:LINE: error: TEXT. */
const errors_of = text => ({ sites: [], requests: [], report: '', faults: [...text.matchAll(/^ *\.?\/?(?:lab\/[^\s:]+\/)?([^\s:]+):(\d+):(?:\d+:)? ((?:(?:fatal )?error|fault): .*)$/gm)]
    .map(([, file, line, said]) => ({ file, line: +line, text: said })) });

// ---- a run's results ----

const short = n => n < 1000 ? `${n}` : n < 1e6 ? `${+(n / 1e3).toPrecision(3)}k` : `${+(n / 1e6).toPrecision(3)}M`;
const same_file = (a, b) => a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);

/** How many threads of a request use each byte fetched; 0 if no request of the line is known. */
function reuse_of(s) {
    const r = result.requests.find(r => r.line === s.line && r.file === s.file && r.op === s.op && r.space === 'global');
    return r && s.useful ? +(s.accesses * r.size / s.useful).toFixed(1) : 0;
}

/** The counts of the shown file's lines, for the gutter. */
function counts_of(sites) {
    const counts = new Map();
    for (const s of sites) {
        if (!same_file(s.file, shown_file)) continue;
        const shared = s.op.startsWith('shared'), count = counts.get(s.line) ?? { texts: {}, titles: [], bad: false, reuse: 0 };
        const reuse = shared ? 0 : reuse_of(s), sectors = result.lanes === 32 ? ' (sectors of 32 bytes)' : '';
        const n = shared ? s.passes : s.op === 'texture' ? s.accesses : s.transactions;
        count.texts[shared] = (count.texts[shared] ?? 0) + n;
        count.titles.push(shared ? `${s.op}: ${s.requests} requests, ${s.passes} passes (${(s.passes / s.ideal).toFixed(2)} times what is best)`
            : `${s.op}: ${s.requests} requests, ${s.transactions} transactions${sectors}, ${s.bytes} bytes, ${(100 * s.useful / s.bytes).toFixed(1)}% useful${reuse ? `, each used by ${reuse} thread${reuse === 1 ? '' : 's'}` : ''}`);
        count.reuse = Math.max(count.reuse, reuse);
        count.bad ||= shared ? s.passes > s.ideal : s.useful * 2 < s.bytes;
        counts.set(s.line, count);
    }
    return new Map([...counts].map(([line, { texts, titles, bad, reuse }]) => [line, { bad, title: titles.join('\n'),
        text: [texts.false === undefined ? '' : short(texts.false), reuse > 1 ? `×${reuse}` : '', texts.true === undefined ? '' : `≡${short(texts.true)}`].filter(Boolean).join(' ') }]));
}

/** Shows counts and faults at the lines of the shown file; the cursor goes to the first fault. */
function show_marks(go = false) {
    at('faults').textContent = (result?.faults ?? []).map(({ file, line, text }) => text.includes(`${file}:${line}`) ? text : `${file}:${line}: ${text}`).join('\n');
    if (!result) { editor.result(new Map(), new Map()); return; }
    const faults = new Map();
    for (const fault of result.faults)
        if (same_file(fault.file, shown_file)) faults.set(fault.line, [...(faults.get(fault.line) ?? []), fault.text]);
    editor.result(counts_of(result.sites), faults);
    if (go && faults.size) editor.go(Math.min(...faults.keys()));
}

function show_result() {
    const there = result.faults.find(fault => chosen.shown.some(file => same_file(fault.file, file)));
    if (there && !same_file(there.file, shown_file)) show_file(chosen.shown.find(file => same_file(there.file, file)));
    steps.show(result, compiled.sites);
    show_marks(true);
    at('report').textContent = result.report;
    at('report_part').hidden = false;
    const lines = Object.keys(result.pictures);
    at('picture_part').hidden = !lines.length && !['launch', 'block', 'thread'].some(name => +at(name).value);
    options(at('line'), lines.map(line => [line, line.split('/').pop()]), at('line').value);
    show_picture();
}

function show_picture() {
    const line = at('line').value, requests = result.requests.filter(r => `${r.file}:${r.line}` === line), thread = +at('thread').value;
    if (!requests.length) {
        at('picture').replaceChildren();
        at('picture_says').textContent = 'This warp does not access memory. Choose another launch, block or warp.';
        return;
    }
    const first = [...new Map([...requests].reverse().map(r => [`${r.site}:${r.op}`, r])).values()].reverse();
    place(at('picture'), result.pictures[line], thread, choose_cell);
    at('picture_says').textContent = `${at('rules').value === 'c1060' ? 'Half-warp' : 'Warp'} ${result.warp} of block ${result.block}, kernel ${first[0].kernel}${+at('launch').value ? `, launch ${at('launch').value}` : ''}, ` +
        `the first time at line ${requests[0].line}. ${first.map(r => `${words_of(r)} ${words_of_thread(r, thread, thread % 32)}`).join(' ')}`;
}

/** Leads to the line of a cell of the picture, and to its thread: the picture is then of that thread's warp. */
function choose_cell(line, block = result.block, thread) {
    const [, file, number] = line.match(/(.*):(\d+)/);
    at('line').value = line;
    at('thread').value = thread;
    go_to(file, +number);
    if (block === result.block && `${warp_of_thread()}` === result.warp) { show_picture(); return; }
    at('block').value = block;
    run();
}

function go_to(file, line) {
    const there = chosen.shown.find(shown => same_file(file, shown));
    if (there && there !== shown_file) show_file(there);
    if (there) editor.go(line);
}

function follow_line(line) {
    at('line_says').textContent = result ? counts_of(result.sites).get(line)?.title ?? '' : '';
    steps.to_line(shown_file, line);
    const here = result?.requests.find(r => r.line === line && same_file(r.file, shown_file));
    if (!here) return;
    at('line').value = `${here.file}:${here.line}`;
    show_picture();
}

/** Marks the line of a step of the warp, if it is in a file that the page shows. */
function mark_step(file, line) {
    const there = chosen.shown.find(name => same_file(file, name));
    if (there && there !== shown_file) show_file(there);
    editor.step(there ? line : 0);
}

function save(name, text, type) {
    const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(new Blob([text], { type })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// ---- the beginning ----

async function begin() {
    const { files, ...given } = await (await fetch('programs.json')).json();
    ({ programs: list, exercises, compressed } = given);
    for (const program of list) program.files = Object.fromEntries(program.files.map(file => [file, files[file]]));
    editor = make_editor(at('editor'), {
        run,
        change(text) {
            if (text === chosen.files[shown_file]) delete edits[shown_file];
            else edits[shown_file] = text;
            keep();
        },
        line: follow_line,
        counts(line) { follow_line(line); at('picture_part').scrollIntoView({ block: 'start' }); },
    });
    steps = make_steps({ mark: mark_step, text: (file, line) => Object.entries(files_of()).find(([name]) => same_file(file, name))?.[1].split('\n')[line - 1] ?? '' });
    at('program').replaceChildren(...[['Programs', list.filter(p => !p.mistaken)], ['Mistakes', list.filter(p => p.mistaken)], ['Exercises', exercises]].map(([label, entries]) => {
        const group = Object.assign(document.createElement('optgroup'), { label });
        group.append(...entries.map(({ id, title }) => Object.assign(document.createElement('option'), { value: id, textContent: title })));
        return group;
    }));
    await from_address();
    const failed = e => { at('program').value = chosen.id; follow(); say(`A file did not arrive: ${e.message}. Choose the program again.`); };
    at('program').onchange = () => choose(at('program').value).then(() => follow(true)).catch(failed);
    at('all').onchange = event => { if (settings.includes(event.target.id)) follow(); };
    for (const name of ['hint', 'solution'])
        at(name).onclick = async () => { at('output').textContent = await exercise[name](chosen.exercise); show_output(); };
    at('progress_out').onclick = () => save('progress', exercise.progress(), 'text/plain');
    at('file_out').onclick = () => save(shown_file.split('/').pop(), files_of()[shown_file], 'text/plain');
    at('file_in').onclick = () => at('opened').click();
    at('opened').onchange = async () => {
        const [file] = at('opened').files;
        if (!file) return;
        if (!chosen.exercise && chosen.id !== 'empty') { await choose('empty'); follow(true); }
        replace({ [chosen.main]: (await file.text()).replaceAll('\r\n', '\n') }, `Opened ${file.name}.`);
        at('opened').value = '';
    };
    at('progress_in').onclick = () => at('progress_file').click();
    at('progress_file').onchange = async () => {
        const [file] = at('progress_file').files;
        if (!file) return;
        say(`The progress has ${exercise.add_progress(await file.text())} entries now.`);
        at('progress_file').value = '';
        await show_states();
    };
    at('choices').onsubmit = event => { event.preventDefault(); run(); };
    at('picture_choices').onsubmit = event => event.preventDefault();
    at('undo').onclick = () => { if (any(edits)) replace({}, 'Reset to the original.'); else say('This is the original.'); };
    at('back').onclick = () => replace(before, 'Your text is back.');
    at('share').onclick = async () => {
        history.replaceState(null, '', address(await packed_edits()));
        const [title] = at('program').selectedOptions, compact = location.href.replace('#', '?embed#');
        at('share_frame').value = `<iframe src="${compact}" title="${title.text}" width="100%" height="560" loading="lazy"></iframe>`;
        at('share_markdown').value = `[${title.text}: run it in the browser](${location.href})`;
        at('share_part').hidden = false;
        try { await navigator.clipboard.writeText(location.href); say('The address has the program and its settings in it, and was copied.'); }
        catch { say('The address has the program and its settings in it: copy it.'); }
    };
    at('share_frame').onfocus = at('share_markdown').onfocus = event => event.target.select();
    at('whole').onclick = async () => { window.open(address(await packed_edits(), location.pathname)); };
    at('line').onchange = show_picture;
    at('launch').onchange = at('block').onchange = run;
    at('warp').onchange = () => { at('thread').value = at('warp').value * lanes(); run(); };
    at('thread').onchange = () => { if (`${Math.floor(at('thread').value / result?.lanes)}` === result?.warp) show_picture(); else run(); };
    at('save').onclick = () => save(`${at('line').value.split('/').pop().replace(/\.\w+:/, '-')}.svg`, result.pictures[at('line').value], 'image/svg+xml');
    window.onhashchange = () => from_address().catch(failed); // another person's address, in the same window
    at('served').hidden = true;
    at('all').hidden = false;
    document.documentElement.dataset.ready = 'yes';
}

if (location.protocol !== 'file:') {
    navigator.serviceWorker?.register('offline.js').catch(() => {}); // later visits need no network
    await begin().catch(e => { at('served').textContent = `A file of this page did not arrive: ${e.message}. Load the page again.`; });
}
