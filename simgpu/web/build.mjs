// SPDX-License-Identifier: MIT
// node build.mjs SIMGPU OUT: compiles the folder `simgpu` for web pages, with the compiler that the page uses.
// OUT gets runtime.wasm, rewrite.wasm, headers.json and standalone.pch. Objects are kept there and compiled again only if a source,
// or a header, has changed.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { precompile } from './compile.mjs';
import { clang, runtime_leavable } from './tools.mjs';

const [simgpu, out] = process.argv.slice(2);
const parts = [
    'advice', 'arena', 'async_copies', 'async_proxy', 'atomics', 'barriers', 'bounds', 'boxes', 'bulk_stores', 'clusters', 'copies', 'counts', 'cublas', 'cublas_handle', 'cublas_solve', 'cublas_vectors', 'device_api',
    'faults', 'graphs', 'kernel_calls', 'launch', 'memory_api', 'mma', 'models', 'names', 'occupancy', 'phases', 'picture', 'profile', 'races',
    'repeats', 'report', 'roles', 'spans', 'standalone', 'stream_api', 'strays', 'streams', 'texture', 'threads', 'tracer', 'vtables',
    'wgmma', 'xorwow'
].map(n => `src/${n}.cpp`).concat(['memory', 'fibers', 'lines', 'steps', 'ends'].map(n => `web/${n}.cpp`));

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
/** A file that the compiler makes, kept until its input changes. `more` are further files, which `key` identifies. */
async function kept(extension, args, files, more = {}, key = '') {
    const made_of = createHash('sha256').update(JSON.stringify([args, files, key])).digest('hex').slice(0, 16), file = path.join(out, `${made_of}.${extension}`);
    if (!fs.existsSync(file)) {
        const made = await clang([...args, '-o', 'out'], { ...files, ...more });
        if (!made.files) fail(`${args.at(-1)} does not compile for WebAssembly:`, made.messages);
        fs.writeFileSync(file, made.files.out);
    }
    return { key: made_of, bytes: fs.readFileSync(file) };
}

/** The compiler writes its output a few bytes at a time. The package makes a task and a stream of each piece, which takes
 * half of a compilation's time. This changes the package's file so that each piece goes straight to the callback. */
function quicken_output() {
    const file = fileURLToPath(new URL('node_modules/@yowasp/clang/gen/bundle.js', import.meta.url)), text = fs.readFileSync(file, 'utf8');
    const quick = 'if (rsc0 instanceof CallbackOutputStream) { rsc0.callback?.(new Uint8Array(memory0.buffer, arg1, arg2)); dataView(memory0).setInt8(arg3, 0, true); return; }';
    if (text.includes(quick)) return;
    const slow = /curResourceBorrows\.push\(rsc0\);\s*var ptr3 = arg1;\s*var len3 = arg2;\s*var result3 = [^;]*;\s*_debugLog\('\[iface="wasi:io\/streams@[\d.]+", function="\[method\]output-stream\.blocking-write-and-flush"\]/;
    if (!slow.test(text)) fail('@yowasp/clang/gen/bundle.js is not as build.mjs expects it', '');
    fs.writeFileSync(file, text.replace(slow, found => `${quick}\n      ${found}`));
}

fs.mkdirSync(out, { recursive: true });
quicken_output();
const all = tree(simgpu), headers = { include: all.include, 'simgpu.h': all['simgpu.h'], src: Object.fromEntries(Object.entries(all.src).filter(([name]) => /\.(h|txt)$/.test(name))) };
const flags = ['--target=wasm32-wasip1', '-O1'];
/* The headers of src are compiled once for all sources. */
const in_cpp = ['clang++', ...flags, '-std=c++17', '-fno-exceptions', '-w', '-DSIMGPU_DIR="simgpu"', '-Isimgpu', '-Isimgpu/include'];
const own = Object.keys(headers.src).filter(n => n.endsWith('.h')).map(n => `"simgpu/src/${n}"`);
const first = { 'first.h': own.map(n => `#include ${n}\n`).join('') };
const precompiled = await kept('pch', [...in_cpp, '-I.', '-Xclang', '-fno-pch-timestamp', '-x', 'c++-header', 'first.h'], { ...first, simgpu: headers });
const objects = {};
for (const part of parts) {
    const [folder, name] = part.split('/'), files = { simgpu: { ...headers, [folder]: { ...headers[folder], [name]: all[folder][name] } } };
    const made = await kept('o', [...in_cpp, '-include-pch', 'first.pch', '-c', `simgpu/${part}`], { ...first, ...files }, { 'first.pch': precompiled.bytes }, precompiled.key);
    objects[`${folder}_${name}.o`] = made.bytes;
}
const options = ['export-all', 'export-table', 'growable-table', 'stack-first', 'allow-multiple-definition'].map(o => `-Wl,--${o}`);
const linked = await clang(['clang++', '--target=wasm32-wasip1', '-mexec-model=reactor', ...Object.keys(objects), '-o', 'runtime.wasm', ...options,
    '-Wl,--export=__stack_pointer', '-Wl,-z,stack-size=1048576', '-Wl,--max-memory=4294901760', '-Wl,--whole-archive', '-lc', '-lm', '-lc++', '-lc++abi', '-Wl,--no-whole-archive'], objects);
if (!linked.files) fail('the runtime does not link:', linked.messages);
fs.writeFileSync(path.join(out, 'runtime.wasm'), runtime_leavable(linked.files['runtime.wasm']));

const rewriting = ['rewrite.c', 'words.c', 'ptx.c', 'launches.c', 'shared.c', 'source_text.c', 'host_code.c'];
const rewriter = await clang(['clang', ...flags, '-D_GNU_SOURCE', '-DSIMGPU_INCLUDE="/simgpu/include"', ...rewriting, 'realpath.c', '-Wl,-z,stack-size=1048576', '-o', 'rewrite.wasm'],
    { ...all.tools, 'realpath.c': all.web['realpath.c'] });
if (!rewriter.files) fail('the rewriting tool does not compile for WebAssembly:', rewriter.messages);
fs.writeFileSync(path.join(out, 'rewrite.wasm'), rewriter.files['rewrite.wasm']);

// CUDA's headers of one line, as simgpu.cmake makes them.
const made = {};
for (const entry of all.include['headers.txt'].split('\n')) {
    const [, name, kind, text] = entry.match(/^([^ #]+) +([=:?]) (.*)$/) ?? [];
    if (!name) continue;
    const place = name.split('/'), last = place.pop();
    place.reduce((folder, part) => folder[part] ??= {}, made)[last] =
        kind === '=' ? `#include "/simgpu/include/${text}"\n` : `#error "simgpu: <${name}> is not simulated${kind === ':' ? `: ${text}` : ''}"\n`;
}
fs.writeFileSync(path.join(out, 'headers.json'), JSON.stringify({ include: all.include, made }));
fs.writeFileSync(path.join(out, 'standalone.pch'), await precompile({ clang, headers: { include: all.include, made } }));
