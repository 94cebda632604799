// SPDX-License-Identifier: MIT
// The worker that compiles. It fetches the compiler when the first program comes, and keeps it.
// In: { main, files, defines }. Out: { bytes: how many more have come }, then { runtime, program, sites, times }, or
// { error }: the compiler's messages, or { failed }: it could not be fetched, and a new worker has to try. In: { lab: a command line of the lab's, source }. Out: { answer }, and { runtime,
// program, sites } if it linked a program.
import { count_bytes } from './fetch.mjs';
import { prepare } from '../../../simgpu/web/clang.mjs';
import { compile, CompileError } from '../../../simgpu/web/compile.mjs';
import { make_compiler } from './lab.mjs';

count_bytes(bytes => postMessage({ bytes }));
const module_of = name => WebAssembly.compileStreaming(fetch(new URL(name, import.meta.url)));
const bytes_of = async name => new Uint8Array(await (await fetch(new URL(name, import.meta.url))).arrayBuffer());

/* The tools are imported here: Binaryen waits for its own file while it is imported, and messages that arrive meanwhile
   would be lost. */
async function everything() {
    const [runtime, rewriter, headers, precompiled, tools] = await Promise.all([module_of('runtime.wasm'), module_of('rewrite.wasm'),
        fetch(new URL('headers.json', import.meta.url)).then(response => response.json()), bytes_of('standalone.pch'), import('../../../simgpu/web/tools.mjs'), prepare()]);
    return { runtime, with_tools: { ...tools, rewrite: tools.rewriter(rewriter), headers: { ...headers, 'standalone.pch': precompiled } } };
}
/** The function that runs the lab's command lines. */
async function for_exercises(with_tools) {
    const [c, cu, { headers }] = await Promise.all([bytes_of('lab_cpu.o'), bytes_of('lab_gpu.o'), fetch(new URL('exercises.json', import.meta.url)).then(r => r.json())]);
    return make_compiler(with_tools, headers, { c, cu });
}
let begun = null, lab = null;

onmessage = async ({ data: program }) => {
    try {
        const { runtime, with_tools } = await (begun ??= everything());
        if (program.lab) {
            const compiler = await (lab ??= for_exercises(with_tools));
            compiler.program = null;
            const answer = await compiler.carry_out(program.lab, () => program.source), made = compiler.program;
            postMessage({ answer, runtime, program: made && await WebAssembly.compile(made.bytes), sites: made?.sites });
            return;
        }
        const made = await compile(program, with_tools);
        postMessage({ runtime, program: await WebAssembly.compile(made.bytes), sites: made.sites, times: made.times });
    } catch (e) {
        postMessage(e instanceof CompileError ? { error: e.message } : { failed: e.message ?? `${e}` });
    }
};
