// SPDX-License-Identifier: MIT
// node build.mjs ROOT ENGINE OUT: makes the playground's page in the folder OUT. ROOT is the repository; ENGINE a copy of
// simgpu/web with its node_modules, whose folder `out` its build.mjs has filled. This file's folder has node_modules of
// its own. tools/scripts/docs calls it.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import zlib from 'node:zlib';
import { build } from 'esbuild';
import { build_lab } from './build-lab.mjs';
import { exercises, programs } from './sources/programs.mjs';

const [root, engine, out] = process.argv.slice(2).map(p => path.resolve(p)), here = path.dirname(fileURLToPath(import.meta.url));
const gzip = bytes => zlib.gzipSync(bytes, { level: 7 });
const made = {}; // name -> bytes

/** Binaryen's file contains its WebAssembly as a text in JavaScript: takes it out, so that the browser can compile it
 * while it arrives. */
const binaryen = { name: 'binaryen', setup: b => b.onLoad({ filter: /binaryen\/index\.js$/ }, ({ path: file }) => {
    const text = fs.readFileSync(file, 'utf8'), [, decode] = text.match(/function (\w+)\(\w+\)\{for\(var \w+=0,\w+=\w+\.length,\w+=new Uint8Array/) ?? [];
    const begin = text.search(new RegExp(`\\b${decode}\\(\`\\\\0asm`));
    let end = begin + `${decode}(\``.length; // of the text between backquotes
    while (end < text.length && text[end] !== '`') end += text[end] === '\\' ? 2 : 1;
    if (!decode || begin < 0) throw new Error('binaryen/index.js is not as playground/build.mjs expects it');
    const literal = text.slice(begin + decode.length + 1, end + 1), characters = (0, eval)(literal);
    made['binaryen.wasm.gz'] = gzip(Uint8Array.from(characters, c => { const code = c.charCodeAt(0); return ~code >> 8 & code; }));
    const fetched = 'new Uint8Array(await (await fetch(new URL("./binaryen.wasm",import.meta.url))).arrayBuffer())';
    return { contents: text.slice(0, begin) + fetched + text.slice(end + 2), loader: 'js' };
}) };

/** The engine's modules are those of simgpu/web; their packages are those of ENGINE. */
const from_engine = { name: 'engine', setup: b => b.onResolve({ filter: /simgpu\/web\/\w+\.mjs$/ }, ({ path: file }) =>
    ({ path: path.join(engine, path.basename(file)) })) };

const bundled = await build({ entryPoints: ['page', 'compiler', 'runner'].map(name => path.join(here, `${name}.mjs`)), bundle: true, write: false, outdir: out,
    format: 'esm', target: 'es2022', minify: true, legalComments: 'none', external: ['node:*'], plugins: [from_engine, binaryen], logLevel: 'warning' });
for (const file of bundled.outputFiles) made[path.basename(file.path)] = file.contents;

/** Of the compiler's folders only the headers of C and C++ are needed: a program links to the runtime, not to libraries. */
const needed = name => /^include\/(c\+\+\/v1\/|wasm32|[^/]*\.h$)/.test(name) && !/intrin|opencl|altivec|hexagon|\/__cxx03\//.test(name);
function headers_of(tar) {
    const kept = [];
    for (let at = 0; at + 512 <= tar.length && tar[at];) {
        const text = (from, length) => tar.subarray(at + from, at + from + length).toString().replace(/\0.*/s, '');
        const size = parseInt(text(124, 12), 8), next = at + 512 + Math.ceil(size / 512) * 512;
        const name = text(345, 155) ? `${text(345, 155)}/${text(0, 100)}` : text(0, 100), is_folder = text(156, 1) === '5';
        if (is_folder || needed(name)) kept.push(tar.subarray(at, next));
        at = next;
    }
    return Buffer.concat([...kept, Buffer.alloc(1024)]);
}
const clang = path.join(engine, 'node_modules/@yowasp/clang/gen');
for (const name of fs.readdirSync(clang)) {
    const bytes = fs.readFileSync(path.join(clang, name));
    if (name.endsWith('.wasm')) made[`${name}.gz`] = gzip(bytes);
    if (name.endsWith('.tar')) made[`${name}.gz`] = gzip(headers_of(bytes));
}
for (const name of ['runtime.wasm', 'rewrite.wasm', 'standalone.pch']) made[`${name}.gz`] = gzip(fs.readFileSync(path.join(engine, 'out', name)));
made['headers.json'] = fs.readFileSync(path.join(engine, 'out/headers.json'));
for (const name of ['index.html', 'page.css', 'scheme.js', 'offline.js']) made[name] = fs.readFileSync(path.join(here, 'static', name));

const compressed = Object.keys(made).filter(name => name.endsWith('.gz')).reduce((sum, name) => sum + made[name].length, 0);
/* Without the lab the page offers programs but no exercises. */
const lab = await build_lab(root, engine, await import(path.join(engine, 'tools.mjs'))).catch(e => { console.log(`No exercises: ${e.message}`); return {}; });
for (const [name, bytes] of Object.entries(lab)) made[`${name}.gz`] = gzip(bytes);
const list = programs(root);
/* Programs share files: each is there once. */
made['programs.json.gz'] = gzip(JSON.stringify({ compressed, files: Object.assign({}, ...list.map(p => p.files)), exercises: lab['lab.wasm'] ? exercises(root) : [],
    programs: list.map(({ regions, files, ...p }) => ({ ...p, files: Object.keys(files) })) }));
/* For book.py: what the page offers, and where the button next to a shown region leads. If several programs show it, to the first of them. */
made['offers.json'] = Buffer.from(JSON.stringify({ exercises: lab['lab.wasm'] ? exercises(root).map(e => e.id) : [],
    programs: list.map(({ id, title, page, main, shown, variants, mistaken }) => ({ id, title, page, main, shown, variants, mistaken })),
    regions: Object.assign({}, ...[...list].reverse().map(p => Object.fromEntries(Object.entries(p.regions).map(([region, variants]) => {
        const [variant, compare] = [variants].flat();
        return [region, new URLSearchParams({ program: p.id, ...(variant && { variant }), ...(compare && { compare }), file: region.split(' ')[0] }).toString()];
    })))) }));
const version = createHash('sha256');
for (const name of Object.keys(made).sort()) version.update(name).update(made[name]);
const large = name => /\.(wasm|tar|pch|o)\.gz$/.test(name), kept = Object.keys(made).filter(name => !['offline.js', 'regions.json'].includes(name));
const sizes = names => names.map(name => `'${name}': ${made[name === './' ? 'index.html' : name].length}`).join(', ');
for (const [word, text] of Object.entries({ VERSION: version.digest('hex').slice(0, 12), '/*PAGE*/': sizes(['./', ...kept.filter(name => !large(name))]), '/*OTHERS*/': sizes(kept.filter(large)) }))
    made['offline.js'] = Buffer.from(made['offline.js'].toString().replace(word, text));

fs.rmSync(out, { recursive: true, force: true });
fs.mkdirSync(out, { recursive: true });
for (const [name, bytes] of Object.entries(made)) fs.writeFileSync(path.join(out, name), bytes);
const megabytes = Object.values(made).reduce((sum, bytes) => sum + bytes.length, 0) / 1e6;
console.log(`playground: ${megabytes.toFixed(1)} MB, of which the compiler is ${(compressed / 1e6).toFixed(1)} MB`);
