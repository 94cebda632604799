// SPDX-License-Identifier: MIT
// The playground's page: programs to choose from, the editor, and a run's results. One worker compiles all programs
// (compiler.mjs), and each runs in a separate worker (runner.mjs), so that this page stays responsive.
import { draw, words_of, words_of_thread } from './drawing.mjs';
import { make_editor } from './editor.mjs';
import * as exercise from './exercise.mjs';

const seconds_at_most = 15; // a program that runs longer is stopped
const at = id => document.getElementById(id);
const say = text => { at('said').textContent = text; };

// ---- what is chosen: a program, its settings, and the edited files ----

let list, exercises, compressed, chosen, edits = {}, shown_file, editor;
let compiled = null; // { key, ...compiler.mjs's answer } for the last program that compiled
let result = null;

const files_of = () => ({ ...chosen.files, ...edits });
const settings = ['variant', 'n', 'rules', 'seed', 'block', 'thread'];
const lanes = () => at('rules').value === 'c1060' ? 16 : 32; // of a half-warp, or of a warp: what makes one request

function options(select, entries, value) {
    select.replaceChildren(...entries.map(([value, text]) => Object.assign(document.createElement('option'), { value, textContent: text })));
    if (entries.some(([known]) => String(known) === String(value))) select.value = value;
}

/** Shows a program with these settings (texts by name, as in the address). */
function choose(id, given = {}, changed = {}) {
    chosen = list.find(p => p.id === id) ?? list[0];
    show_program(given, changed);
}

/** Shows an exercise: the reader's code, or the stub. */
async function choose_exercise(found, changed = {}) {
    const { stub, work, task } = await exercise.exercise_texts(found), file = `exercise.${found.suffix}`;
    chosen = { ...found, exercise: found, main: file, files: { [file]: stub }, shown: [file], defines: [], variants: [], sizes: [] };
    at('task_text').replaceChildren(exercise.shown(task));
    show_program({}, changed[file] ? changed : work === stub ? {} : { [file]: work });
    await show_states();
}

function show_program(given, changed) {
    edits = Object.fromEntries(Object.entries(changed).filter(([file]) => file in chosen.files));
    at('program').value = chosen.id;
    at('task').hidden = !chosen.exercise;
    at('run').textContent = chosen.exercise ? 'Check' : 'Run';
    for (const name of ['rules', 'seed']) at(name).parentElement.hidden = Boolean(chosen.exercise);
    options(at('variant'), chosen.variants.map(v => [v, v]), given.variant);
    options(at('n'), chosen.sizes.map(n => [n, n]), given.n);
    at('variant_label').hidden = !chosen.variants.length;
    at('n_label').hidden = !chosen.sizes.length;
    for (const name of settings.slice(2)) at(name).value = given[name] ?? (name === 'rules' ? 'modern' : 0);
    forget();
    show_file(chosen.shown.includes(given.file) ? given.file : chosen.shown[0]);
}

/** Shows the reader's progress, in the list and below the task. */
async function show_states() {
    const states = await exercise.states(), done = exercises.filter(e => states[e.id] === 'done').length;
    for (const option of at('program').querySelectorAll('optgroup:last-child option'))
        option.textContent = `${{ new: '', started: '… ', done: '✓ ' }[states[option.value]]}${exercises.find(e => e.id === option.value).title}`;
    at('progress_says').textContent = `${done} of ${exercises.length} passed. The progress is kept in this browser. Saved, it is the file lab/progress of ./ladder lab, ` +
        `and that file can be loaded here. A goal in time (${exercises.filter(e => e.timed).map(e => e.id).join(', ')}) compares your function with the one before it, ` +
        'both as WebAssembly in this page: ./ladder lab check decides if the page misses it. All other goals are the same here and there.';
}

function show_file(file) {
    shown_file = file;
    at('files').replaceChildren(...(chosen.shown.length > 1 ? chosen.shown : []).map(name => {
        const tab = Object.assign(document.createElement('button'), { type: 'button', textContent: name.split('/').pop(), onclick: () => { show_file(name); } });
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
    for (const part of ['report_part', 'picture_part']) at(part).hidden = true;
    at('output').textContent = at('line_says').textContent = '';
}

// ---- the address holds everything that is chosen, so that it can be shared ----

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
const packed = async text => btoa(String.fromCharCode(...await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'))))
    .replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
const unpacked = async text => new TextDecoder().decode(await through(
    Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), c => c.charCodeAt(0)), new DecompressionStream('deflate-raw')));

async function address() {
    const all = new URLSearchParams({ program: chosen.id, file: shown_file });
    for (const name of settings) if (at(name).value && at(name).value !== '0' && at(name).value !== 'modern') all.set(name, at(name).value);
    if (Object.keys(edits).length) all.set('edits', await packed(JSON.stringify(edits)));
    return `#${all}`;
}

async function from_address() {
    const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1) || location.search)); // a chapter's button: ?
    let changed = {};
    const found = exercises.find(e => e.id === given.program);
    try { if (given.edits) changed = JSON.parse(await unpacked(given.edits)); } catch { say('The address is cut off: its changes could not be read.'); }
    if (found) await choose_exercise(found, changed);
    else choose(given.program, given, changed);
}

// ---- a run ----

let compiler = null, runner = null;

/** The compiler's answer for the program. */
function compiled_by_worker(program) {
    let came = 0;
    compiler ??= new Worker('compiler.js', { type: 'module' });
    return new Promise((resolve, reject) => {
        compiler.onerror = e => { compiler = null; reject(new Error(e.message || 'the compiler could not be fetched')); };
        compiler.onmessage = ({ data }) => {
            if (data.bytes) {
                came += data.bytes;
                at('progress').hidden = false;
                at('progress').value = came / compressed;
                say(`Fetching the compiler, once: ${(came / 1e6).toFixed(1)} of ${(compressed / 1e6).toFixed(1)} MB`);
            } else if (data.error) reject(Object.assign(new Error(data.error), { by_compiler: true }));
            else resolve(data);
            if (came >= compressed) say('Compiling …');
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

/** Runs the compiled program: { status, result } or { crash } or { late: true }. */
function run_in_worker(files) {
    const args = [chosen.main, ...(chosen.sizes.length ? ['--n', at('n').value, '--variant', at('variant').value, ...chosen.options] : chosen.variants.length ? [at('variant').value] : [])];
    const environment = [`SIMGPU_GPU=${at('rules').value}`, 'SIMGPU_LIMIT=10', ...(+at('seed').value ? [`SIMGPU_SHUFFLE=${at('seed').value}`] : [])];
    runner = new Worker('runner.js', { type: 'module' });
    at('stop').disabled = false;
    return new Promise(resolve => {
        const late = setTimeout(() => resolve({ late: true }), seconds_at_most * 1000);
        at('stop').onclick = () => resolve({ stopped: true });
        runner.onerror = e => resolve({ crash: e.message });
        runner.onmessage = ({ data }) => { if (data.text) print(data.stream, data.text); else { clearTimeout(late); resolve(data); } };
        const { runtime, program, sites } = compiled;
        runner.postMessage({ runtime, program, sites, files, args, environment, block: +at('block').value, warp: warp_of_thread() });
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
        say('Running …');
        const end = await run_in_worker(files);
        const took = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
        if (end.late) say(`Ended: the program was still running after ${seconds_at_most} seconds. Does a loop never end? Else take a smaller size.`);
        else if (end.stopped) say('Stopped.');
        else if (key !== key_of_program()) say('The program was changed meanwhile. Run it again.');
        else if (end.crash) say(`The program's host code crashed: ${end.crash}.`);
        else {
            result = { ...end.result, block: at('block').value, warp: at('warp').value, lanes: lanes() };
            const faults = result.faults.length;
            say((faults ? `${faults} ${faults === 1 ? 'fault' : 'faults'}, at ${faults === 1 ? 'its line' : 'their lines'}. ` : 'No fault. ') +
                `Exit status ${end.status}, ${took}.${end.cut ? ' The rest of the output is left out.' : ''}`);
            show_result();
        }
    } catch (e) {
        say(e.by_compiler ? 'It does not compile.' : e.message);
        if (e.by_compiler) { print('err', e.message); result = errors_of(e.message); show_marks(true); }
    } finally {
        at('run').disabled = false;
        at('stop').disabled = true;
    }
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
        at('run').disabled = false;
        at('stop').disabled = true;
    }
}

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
    show_marks(true);
    at('report').textContent = result.report;
    at('report_part').hidden = false;
    const lines = [...new Map(result.requests.map(r => [`${r.file}:${r.line}:${r.site}:${r.op}`, r])).entries()];
    at('picture_part').hidden = !lines.length;
    options(at('line'), lines.map(([key, r]) => [key, `${r.file.split('/').pop()}:${r.line} ${r.space} ${r.op}`]), at('line').value);
    show_picture();
}

const requests_of_line = () => result.requests.filter(r => `${r.file}:${r.line}:${r.site}:${r.op}` === at('line').value);

function show_picture() {
    const requests = requests_of_line();
    at('step').max = Math.max(0, requests.length - 1);
    const r = requests[Math.min(at('step').value, requests.length - 1)];
    if (!r) return;
    const thread = +at('thread').value;
    at('picture').replaceChildren(draw(r, thread % result.lanes));
    at('picture_says').textContent = `${at('rules').value === 'c1060' ? 'Half-warp' : 'Warp'} ${result.warp} of block ${result.block}, kernel ${r.kernel}, ` +
        `time ${r.occurrence + 1} at this line. ${words_of(r)} ${words_of_thread(r, thread, thread % result.lanes)}`;
}

function follow_line(line) {
    at('line_says').textContent = result ? counts_of(result.sites).get(line)?.title ?? '' : '';
    const here = result?.requests.find(r => r.line === line && same_file(r.file, shown_file));
    if (!here) return;
    at('line').value = `${here.file}:${here.line}:${here.site}:${here.op}`;
    at('step').value = 0;
    show_picture();
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
            if (chosen.exercise) exercise.remember_work(chosen.exercise, text);
        },
        line: follow_line,
    });
    at('program').replaceChildren(...[['Programs', list.filter(p => !p.mistaken)], ['Mistakes', list.filter(p => p.mistaken)], ['Exercises', exercises]].map(([label, entries]) => {
        const group = Object.assign(document.createElement('optgroup'), { label });
        group.append(...entries.map(({ id, title }) => Object.assign(document.createElement('option'), { value: id, textContent: title })));
        return group;
    }));
    await from_address();
    at('program').onchange = () => {
        const found = exercises.find(e => e.id === at('program').value);
        if (found) choose_exercise(found).catch(e => say(e.message)); else choose(at('program').value);
    };
    at('hint').onclick = async () => { at('output').textContent = await exercise.hint(chosen.exercise); };
    at('solution').onclick = async () => { at('output').textContent = await exercise.solution(chosen.exercise); };
    at('progress_out').onclick = () => save('progress', exercise.progress(), 'text/plain');
    at('work_out').onclick = () => save(chosen.main, files_of()[chosen.main], 'text/plain');
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
    at('undo').onclick = () => {
        if (chosen.exercise) { exercise.forget_work(chosen.exercise); show_program({}, {}); } else choose(chosen.id);
        say('Reset to the original.');
    };
    at('share').onclick = async () => {
        history.replaceState(null, '', location.pathname + await address());
        const [title] = at('program').selectedOptions, compact = location.href.replace('#', '?embed#');
        at('share_frame').value = `<iframe src="${compact}" title="${title.text}" width="100%" height="560" loading="lazy"></iframe>`;
        at('share_markdown').value = `[${title.text}: run it in the browser](${location.href})`;
        at('share_part').hidden = false;
        try { await navigator.clipboard.writeText(location.href); say('The address has the program and its settings in it, and was copied.'); }
        catch { say('The address has the program and its settings in it: copy it.'); }
    };
    at('share_frame').onfocus = at('share_markdown').onfocus = event => event.target.select();
    at('whole').onclick = async () => { window.open(location.pathname + await address()); };
    at('line').onchange = () => { at('step').value = 0; show_picture(); };
    at('step').oninput = show_picture;
    at('block').onchange = run;
    at('warp').onchange = () => { at('thread').value = at('warp').value * lanes(); run(); };
    at('thread').onchange = () => { if (`${Math.floor(at('thread').value / result?.lanes)}` === result?.warp) show_picture(); else run(); };
    at('save').onclick = () => save('warp.svg', new XMLSerializer().serializeToString(at('picture').firstChild), 'image/svg+xml');
    window.onhashchange = from_address; // another person's address, in the same window
    at('served').hidden = true;
    at('all').hidden = false;
    document.documentElement.dataset.ready = 'yes';
}

if (location.protocol !== 'file:') {
    // Later visits need no network. Even the first files must pass through the service worker to be kept.
    if (navigator.serviceWorker) {
        await navigator.serviceWorker.register('offline.js').catch(() => {});
        const controlled = new Promise(done => { navigator.serviceWorker.oncontrollerchange = done; });
        if (!navigator.serviceWorker.controller) await Promise.race([controlled, new Promise(done => setTimeout(done, 3000))]);
    }
    await begin();
}
