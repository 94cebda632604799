// SPDX-License-Identifier: MIT
// The worker that compiles. It fetches the compiler when the first program comes, and keeps it.
// In: { main, files, defines }. Out: { bytes: so many more came }, then { runtime, program, sites, times }, or
// { error }: what the compiler says.
import { count_bytes } from './fetch.mjs';
import { compile, CompileError } from '../../../simgpu/web/compile.mjs';

count_bytes(bytes => postMessage({ bytes }));
const module_of = name => WebAssembly.compileStreaming(fetch(new URL(name, import.meta.url)));

/* The tools are imported here, because Binaryen waits for its own file while it is imported, and messages that come
   meanwhile would be lost. */
async function everything() {
    const [runtime, rewriter, headers, tools] = await Promise.all([module_of('runtime.wasm'), module_of('rewrite.wasm'),
        fetch(new URL('headers.json', import.meta.url)).then(response => response.json()), import('../../../simgpu/web/tools.mjs')]);
    await tools.prepare();
    return { runtime, with_tools: { ...tools, rewrite: tools.rewriter(rewriter), headers } };
}
let begun = null;

onmessage = async ({ data: program }) => {
    try {
        const { runtime, with_tools } = await (begun ??= everything());
        const made = await compile(program, with_tools);
        postMessage({ runtime, program: await WebAssembly.compile(made.bytes), sites: made.sites, times: made.times });
    } catch (e) {
        if (!(e instanceof CompileError)) begun = null; // a file did not come: the next run asks again
        postMessage({ error: e instanceof CompileError ? e.message : `The compiler could not be started: ${e.message ?? e}` });
    }
};
