// SPDX-License-Identifier: MIT
// node build.mjs SIMGPU OUT: compiles the folder `simgpu` for web pages, with the compiler that the page uses.
// OUT gets runtime.wasm, rewrite.wasm and headers.json. Objects are kept there and compiled again only if a source,
// or a header, has changed.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { clang, runtime_leavable } from './tools.mjs';

const [simgpu, out] = process.argv.slice(2);
const parts = ['arena', 'bounds', 'calls', 'counts', 'cublas', 'faults', 'graphs', 'launch', 'models', 'profile', 'report', 'runtime_api', 'standalone',
    'texture', 'tracer'].map(n => `src/${n}.cpp`).concat(['memory', 'fibers', 'lines', 'ends'].map(n => `web/${n}.cpp`));

function tree(folder) {
    const all = {};
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
        const at = path.join(folder, entry.name);
        if (entry.isDirectory() && entry.name !== 'tests' && entry.name !== 'node_modules') all[entry.name] = tree(at);
        else if (/\.(h|cpp|c|txt)$/.test(entry.name)) all[entry.name] = fs.readFileSync(at, 'utf8');
    }
    return all;
}
function fail(what, messages) {
    console.error(`${what}\n${messages}`);
    process.exit(1);
}
async function object(source, args, files) {
    const key = createHash('sha256').update(JSON.stringify([args, files])).digest('hex'), kept = path.join(out, `${key.slice(0, 16)}.o`);
    if (!fs.existsSync(kept)) {
        const made = await clang([...args, '-c', source, '-o', 'out.o'], files);
        if (!made.files) fail(`${source} does not compile for WebAssembly:`, made.messages);
        fs.writeFileSync(kept, made.files['out.o']);
    }
    return fs.readFileSync(kept);
}

fs.mkdirSync(out, { recursive: true });
const all = tree(simgpu), headers = { include: all.include, 'simgpu.h': all['simgpu.h'], src: { 'internal.h': all.src['internal.h'] } };
const flags = ['--target=wasm32-wasip1', '-O1'];
const objects = {};
for (const part of parts) {
    const [folder, name] = part.split('/');
    const files = { simgpu: { ...headers, [folder]: { ...headers[folder], [name]: all[folder][name] } } };
    objects[`${folder}_${name}.o`] = await object(`simgpu/${part}`, ['clang++', ...flags, '-std=c++17', '-fno-exceptions', '-w', '-DSIMGPU_DIR="simgpu"', '-Isimgpu', '-Isimgpu/include'], files);
}
const options = ['export-all', 'export-table', 'growable-table', 'stack-first', 'allow-multiple-definition'].map(o => `-Wl,--${o}`);
const linked = await clang(['clang++', '--target=wasm32-wasip1', '-mexec-model=reactor', ...Object.keys(objects), '-o', 'runtime.wasm', ...options,
    '-Wl,--export=__stack_pointer', '-Wl,-z,stack-size=1048576', '-Wl,--max-memory=1073741824', '-Wl,--whole-archive', '-lc', '-lm', '-lc++', '-lc++abi', '-Wl,--no-whole-archive'], objects);
if (!linked.files) fail('the runtime does not link:', linked.messages);
fs.writeFileSync(path.join(out, 'runtime.wasm'), runtime_leavable(linked.files['runtime.wasm']));

const rewriter = await clang(['clang', ...flags, '-D_GNU_SOURCE', '-DSIMGPU_INCLUDE="/simgpu/include"', 'rewrite.c', 'realpath.c', '-Wl,-z,stack-size=1048576', '-o', 'rewrite.wasm'],
    { 'rewrite.c': all.tools['rewrite.c'], 'realpath.c': all.web['realpath.c'] });
if (!rewriter.files) fail('the rewriting tool does not compile for WebAssembly:', rewriter.messages);
fs.writeFileSync(path.join(out, 'rewrite.wasm'), rewriter.files['rewrite.wasm']);

// CUDA's headers of one line, as simgpu.cmake makes them.
const made = {};
for (const entry of all.include['headers.txt'].split('\n')) {
    const [, name, kind, text] = entry.match(/^([^ #]+) +([=:]) (.*)$/) ?? [];
    if (!name) continue;
    const place = name.split('/'), last = place.pop();
    place.reduce((folder, part) => folder[part] ??= {}, made)[last] =
        kind === '=' ? `#include "/simgpu/include/${text}"\n` : `#error "simgpu: <${name}> is not simulated: ${text}"\n`;
}
fs.writeFileSync(path.join(out, 'headers.json'), JSON.stringify({ include: all.include, made }));
