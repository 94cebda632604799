// SPDX-License-Identifier: MIT
// node build.mjs SIMGPU OUT: compiles the folder `simgpu` for web pages, with the compiler that the page uses.
// OUT gets runtime.wasm, rewrite.wasm, headers.json and standalone.pch. Objects are kept there and compiled again only if a source,
// or a header, has changed.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { precompile } from './compile.mjs';
import { clang, runtime_leavable, tree } from './tools.mjs';

const [simgpu, out] = process.argv.slice(2);
const all = Object.fromEntries(fs.readdirSync(simgpu, { recursive: true }).map(n => n.split(path.sep).join('/'))
    .filter(n => /^(simgpu\.h|(include|src|tools\/rewrite|web\/machine)\/.*\.(h|cpp|c|txt))$/.test(n)).sort().map(n => [n, fs.readFileSync(path.join(simgpu, n), 'utf8')]));
const below = (folder, wanted) => Object.fromEntries(Object.entries(all).filter(([n]) => wanted.test(n)).map(([n, text]) => [folder + n, text]));
// The page has versions of its own of src/machine and of the pool of threads.
const parts = Object.keys(below('', /^(src|web)\/.*\.cpp$/)).filter(n => !/^src\/(machine\/|launch\/pool)/.test(n));

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
const headers = below('simgpu/', /^(simgpu|include|src).*\.(h|txt)$/), { include } = tree(all);
const flags = ['--target=wasm32-wasip1', '-O1'];
/* The headers of src are compiled once for all sources. */
const in_cpp = ['clang++', ...flags, '-std=c++17', '-fno-exceptions', '-w', '-DSIMGPU_DIR="simgpu"', '-Isimgpu', '-Isimgpu/include'];
const first = { 'first.h': Object.keys(headers).filter(n => /^simgpu\/src\/.*\.h$/.test(n)).map(n => `#include "${n}"\n`).join('') };
const precompiled = await kept('pch', [...in_cpp, '-I.', '-Xclang', '-fno-pch-timestamp', '-x', 'c++-header', 'first.h'], tree({ ...first, ...headers }));
const objects = {};
for (const part of parts) {
    const made = await kept('o', [...in_cpp, '-include-pch', 'first.pch', '-c', `simgpu/${part}`], tree({ ...first, ...headers, [`simgpu/${part}`]: all[part] }), { 'first.pch': precompiled.bytes }, precompiled.key);
    objects[`${part.replaceAll('/', '_')}.o`] = made.bytes;
}
const options = ['export-all', 'export-table', 'growable-table', 'stack-first', 'allow-multiple-definition'].map(o => `-Wl,--${o}`);
const linked = await clang(['clang++', '--target=wasm32-wasip1', '-mexec-model=reactor', ...Object.keys(objects), '-o', 'runtime.wasm', ...options,
    '-Wl,--export=__stack_pointer', '-Wl,-z,stack-size=1048576', '-Wl,--max-memory=4294901760', '-Wl,--whole-archive', '-lc', '-lm', '-lc++', '-lc++abi', '-Wl,--no-whole-archive'], objects);
if (!linked.files) fail('the runtime does not link:', linked.messages);
fs.writeFileSync(path.join(out, 'runtime.wasm'), runtime_leavable(linked.files['runtime.wasm']));

const rewriting = below('', /^(tools\/rewrite|web\/machine)\/.*\.[ch]$|ptx\.txt$/), sources = Object.keys(rewriting).filter(n => n.endsWith('.c'));
const rewriter = await clang(['clang', ...flags, '-D_GNU_SOURCE', '-DSIMGPU_INCLUDE="/simgpu/include"', ...sources, '-Wl,-z,stack-size=1048576', '-o', 'rewrite.wasm'], tree(rewriting));
if (!rewriter.files) fail('the rewriting tool does not compile for WebAssembly:', rewriter.messages);
fs.writeFileSync(path.join(out, 'rewrite.wasm'), rewriter.files['rewrite.wasm']);

// CUDA's headers of one line, as simgpu.cmake makes them.
const made = {};
for (const entry of all['include/headers.txt'].split('\n')) {
    const [, name, kind, text] = entry.match(/^([^ #]+) +([=:?]) (.*)$/) ?? [];
    if (!name) continue;
    const place = name.split('/'), last = place.pop();
    place.reduce((folder, part) => folder[part] ??= {}, made)[last] =
        kind === '=' ? `#include "/simgpu/include/${text}"\n` : `#error "simgpu: <${name}> is not simulated${kind === ':' ? `: ${text}` : ''}"\n`;
}
fs.writeFileSync(path.join(out, 'headers.json'), JSON.stringify({ include, made }));
fs.writeFileSync(path.join(out, 'standalone.pch'), await precompile({ clang, headers: { include, made } }));
