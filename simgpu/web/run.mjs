// SPDX-License-Identifier: MIT
// node run.mjs OUT [-I DIR] [-D...] FILE.cu [arguments]: runs a program as a web page does, in Node. OUT is the
// folder that build.mjs fills. The program gets this environment, so SIMGPU_REPORT=1 prints the counts; the page's
// JSON goes to SIMGPU_RESULT=FILE. It ends with the program's status, or 2 if it does not compile.
import fs from 'node:fs';
import path from 'node:path';
import { compile, CompileError } from './compile.mjs';
import { load } from './load.mjs';
import { sources_of } from './sources.mjs';
import * as tools from './tools.mjs';

const [out, ...words] = process.argv.slice(2), defines = [];
let folder = null;
while (/^-[ID]/.test(words[0])) {
    if (words[0] === '-I') folder = words.splice(0, 2)[1];
    else defines.push(words.shift());
}
const [file, ...args] = words, module_of = name => WebAssembly.compile(fs.readFileSync(path.join(out, name)));
const runtime = await module_of('runtime.wasm'), rewrite = tools.rewriter(await module_of('rewrite.wasm'));
const headers = { ...JSON.parse(fs.readFileSync(path.join(out, 'headers.json'), 'utf8')), 'standalone.pch': fs.readFileSync(path.join(out, 'standalone.pch')) };
const environment = Object.entries(process.env).filter(([name]) => name.startsWith('SIMGPU_')).map(pair => pair.join('='));
const main = path.basename(file), files = { ...sources_of(file, folder), [main]: fs.readFileSync(file, 'utf8') };
let status = 2;
try {
    const made = await compile({ main, files, defines }, { ...tools, rewrite, headers });
    const write = stream => bytes => fs.writeSync(stream, bytes);
    const { wasi } = tools.wasi([main, ...args], environment, {}, write(1), write(2));
    const program = await load(runtime, await WebAssembly.compile(made.bytes), { wasi, sites: made.sites, sources: files });
    status = program.main([main, ...args]);
    if (process.env.SIMGPU_RESULT) fs.writeFileSync(process.env.SIMGPU_RESULT, JSON.stringify(program.result()));
} catch (e) {
    if (!(e instanceof CompileError)) throw e;
    process.stderr.write(e.message);
}
process.exit(status);
