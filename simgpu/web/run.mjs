// SPDX-License-Identifier: MIT
// node run.mjs OUT FILE.cu [arguments]: runs a program as a web page does, in Node. OUT is build.mjs's. The
// environment is the program's, so SIMGPU_REPORT=1 prints the counts. It ends with the program's status, or 2 if
// it does not compile. Several files may be separated by commas: they are run one after another.
import fs from 'node:fs';
import path from 'node:path';
import { compile, CompileError } from './compile.mjs';
import { load } from './load.mjs';
import * as tools from './tools.mjs';

const [out, list, ...args] = process.argv.slice(2);
const module_of = name => WebAssembly.compile(fs.readFileSync(path.join(out, name)));
const runtime = await module_of('runtime.wasm'), rewrite = tools.rewriter(await module_of('rewrite.wasm'));
const headers = JSON.parse(fs.readFileSync(path.join(out, 'headers.json'), 'utf8'));
const environment = Object.entries(process.env).filter(([name]) => name.startsWith('SIMGPU_')).map(pair => pair.join('='));
let status = 0;
for (const file of list.split(',')) {
    const name = path.basename(file), source = fs.readFileSync(file, 'utf8');
    try {
        const made = await compile(name, source, { ...tools, rewrite, headers });
        if (process.env.TIMES) console.error(made.times);
        const write = stream => bytes => fs.writeSync(stream, bytes);
        const { wasi } = tools.wasi([name, ...args], environment, {}, write(1), write(2));
        const program = await load(runtime, await WebAssembly.compile(made.bytes), { wasi, sites: made.sites, sources: { [`/${name}`]: source } });
        status = program.main([name, ...args]);
        if (process.env.RESULT) fs.writeFileSync(process.env.RESULT, JSON.stringify(program.result()));
    } catch (e) {
        if (!(e instanceof CompileError)) throw e;
        process.stderr.write(e.message);
        status = 2;
    }
}
process.exit(status);
