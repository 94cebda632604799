// SPDX-License-Identifier: MIT
// node counts.mjs ROOT WEB SIM [PROGRAM...]: the programs of the playground (or these) count in WebAssembly what they count
// natively, to the last transaction, and find the same faults and errors of the compiler. A program that is given as a file, FILE.cu, has mistakes:
// of it the faults alone are compared, because which threads go on after a fault is chance. The native faults are those
// that its comments "planted" name (the test sim/NAME holds SIM to them); where more than one is found, SIM runs. A program
// that is given as FILE.cu=refused is one with clusters, which the page refuses by name. WEB is where tools/scripts/docs
// made the engine, SIM the native program. Exit status: 0 the same, 1 not, 77 there is no engine.
//
// Where a compiler makes one load of two lines' loads, it belongs to no line: Clang has such loads and GCC none. A file
// with such loads is compared as a whole, all others line by line.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const [root, web, sim, ...wanted] = process.argv.slice(2).map((word, i) => i < 3 ? path.resolve(word) : word);
if (!fs.existsSync(path.join(web, 'simgpu/web/out/headers.json')) || !fs.existsSync(path.join(web, 'simgpu/web/node_modules'))) {
    console.log(`skipped: no engine in ${web}; ./ladder docs makes it where node and npm are`);
    process.exit(77);
}
const from = file => import(path.join(web, 'simgpu/web', file));
const [{ programs }, { compile, CompileError }, { load }, { sources_of }, tools] = await Promise.all([import(path.join(web, 'docs/site/playground/sources/programs.mjs')),
    from('compile.mjs'), from('load.mjs'), from('sources.mjs'), from('tools.mjs')]);
const out = name => fs.readFileSync(path.join(web, 'simgpu/web/out', name));
const runtime = await WebAssembly.compile(out('runtime.wasm')), headers = { ...JSON.parse(out('headers.json')), 'standalone.pch': out('standalone.pch') };
const with_tools = { ...tools, headers, rewrite: tools.rewriter(await WebAssembly.compile(out('rewrite.wasm'))) };

/** Rows of a report: { place, access, numbers }. */
const rows = report => [...report.matchAll(/^ {2}(\S+:\d+) {2,}((?:shared )?\w+)((?: +[\d.]+[%x]?)+)/gm)].map(([, place, access, numbers]) =>
    ({ place, access, numbers: numbers.trim().split(/ +/).filter(n => /^\d+$/.test(n)).map(Number) }));
/** The same by file and access, where some line is unknown; else by line. A store whose line ends with "=" goes on in the next
 * line, where GCC has it; Clang has it in the first. */
function comparable(report, joined, files) {
    const sums = {};
    for (const { place, access, numbers } of rows(report)) {
        const [file, line] = place.split(':'), text = Object.entries(files).find(([path]) => path === file || path.endsWith(`/${file}`))?.[1] ?? '';
        const last = access === 'store' && /=\s*$/.test(text.split('\n')[line - 1] ?? '') ? +line + 1 : line;
        const key = `${joined.has(file) ? file : `${file}:${last}`} ${access}`;
        sums[key] = (sums[key] ?? []).length ? sums[key].map((n, i) => n + numbers[i]) : numbers;
    }
    return Object.entries(sums).map(([key, numbers]) => `${key} ${numbers.join(' ')}`).sort();
}
const without_notes = text => text.replace(/^(?:\S+:\d+: )?note: .*\n(?: {4}.*\n)*/gm, ''); // they name a file by its path
const faults_of = text => [...text.matchAll(/([^\s/:]+:\d+)(?::\d+)?: (?:fault: ([\w-]+)|(?:fatal )?(error): )/g)].map(([, place, name, error]) => `${place} ${name ?? error}`).sort();

/** Starts a program, which runs while WebAssembly computes here: { status, said }. */
const started = (program, args, environment = {}) => new Promise(done => execFile(program, args, { env: { ...process.env, COLUMNS: '1000', ...environment }, maxBuffer: 1 << 26 },
    (error, out, err) => done({ status: error ? error.code ?? error.signal : 0, said: out + err })));
/** What a program with one planted mistake says and how it ends, by its comments; null if these do not tell all. */
function planted(name, text) {
    if (/^\/\/ faults: /m.test(text)) return null;
    const lines = text.split('\n'), line = lines.findIndex(l => l.includes('// planted: '));
    return line < 0 ? null : { status: 1, said: `${name}:${line + 1}: fault: ${lines[line].match(/planted: ([a-z-]+)/)[1]}\n` };
}

let wrong = 0;
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'ladder-counts-'));
const mistaken = file => ({ id: path.basename(file), main: path.basename(file), files: { [path.basename(file)]: fs.readFileSync(file, 'utf8'), ...sources_of(file) },
    defines: [], variants: [], sizes: [], options: [], mistaken: true });
const refused = word => ({ ...mistaken(word.replace('=refused', '')), refused: true });
const chosen = [...programs(root).filter(p => !wanted.length || wanted.includes(p.id)), ...wanted.filter(w => w.endsWith('.cu')).map(mistaken),
    ...wanted.filter(w => w.endsWith('.cu=refused')).map(refused)];
for (const p of chosen) {
    const native = path.join(scratch, `${p.id}.native`), source = path.join(scratch, path.basename(p.main)), known = p.refused ? { status: 1, said: '' } : p.mistaken && planted(path.basename(p.main), p.files[p.main]);
    for (const name of p.mistaken ? Object.keys(p.files) : [p.main]) fs.writeFileSync(path.join(scratch, path.basename(name)), p.files[name]);
    const building = known ? null : started(sim, ['-I', root, '-I', path.join(root, path.dirname(p.main)), ...p.defines, '--output', native, source]);
    const made = await compile({ main: p.main, files: p.files, defines: p.defines }, with_tools).catch(e => { if (e instanceof CompileError && p.mistaken) return { error: e.message }; throw e; });
    const module = made.bytes && await WebAssembly.compile(made.bytes), built = await building;
    if (built?.status && !p.mistaken) throw new Error(`${p.id} does not compile natively:\n${built.said}`);
    for (const variant of p.variants.length ? p.variants : [''])
        for (const gpu of p.mistaken ? ['modern'] : ['c1060', 'modern']) {
            const args = variant && !p.sizes.length ? [variant] : variant ? ['--n', `${p.sizes[0]}`, '--variant', variant, ...p.options] : [], environment = { SIMGPU_GPU: gpu, ...p.mistaken || { SIMGPU_REPORT: '1' }, SIMGPU_LIMIT: '100' }; // seconds: in a page not of the processor, but of a clock
            const running = known ?? (built.status ? { status: 2, said: built.said } : started(native, args, environment));
            let here = '';
            const decoder = new TextDecoder(), write = bytes => { here += decoder.decode(bytes); };
            const around = tools.wasi([p.main, ...args], Object.entries(environment).map(pair => pair.join('=')), {}, write, write);
            let status = 2;
            if (made.error) here = made.error;
            else {
                const program = await load(runtime, module, { wasi: around.wasi, sites: made.sites, sources: p.files });
                try { status = program.main([p.main, ...args]); } catch (e) { status = `crashed: ${e.message}`; }
            }
            const ran = await running, there = ran.said;
            const joined = new Set(rows(here + there).filter(r => r.place.endsWith(':0')).map(r => r.place.split(':')[0]));
            const seen = [here, there].map(text => [...p.mistaken ? [] : comparable(text, joined, p.files), ...faults_of(text)].join('\n'));
            const same = p.refused ? /: fault: not-simulated in kernel [^]* runs in clusters of \d+ blocks\. A page has one host thread/.test(here) : seen[0] === seen[1] && (seen[0] !== '' || p.mistaken || without_notes(here) === without_notes(there)) && status === ran.status; // one with library calls alone counts nothing
            wrong += !same;
            console.log(`${same ? 'same ' : 'WRONG'} ${p.id} ${variant} ${gpu}${p.mistaken ? `: ${seen[1].replaceAll('\n', ', ') || 'no fault'}` : ''}${joined.size ? `, ${[...joined].join(' and ')} as a whole` : ''}`);
            if (!same) console.log(`in WebAssembly (status ${status}):\n${seen[0] || here}\nnatively (status ${ran.status}):\n${seen[1] || there}`);
        }
}
fs.rmSync(scratch, { recursive: true });
process.exit(wrong ? 1 : 0);
