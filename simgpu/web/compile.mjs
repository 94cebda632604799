// SPDX-License-Identifier: MIT
// From a CUDA source to a WebAssembly program, as tools/sim.c does it natively: rewrite, compile with the
// tracer's calls, number these, link, and rewrite the result so that its threads can be left (fibers.cpp).
import { numberSites } from './lines.mjs';

const target = ['--target=wasm32-wasip1', '-fPIC', '-fvisibility=default', '-fno-exceptions', '-std=gnu++17'];
// What simgpu.cmake sets for Clang (SIMGPU_FLAGS, SIMGPU_TRACED_FLAGS, SIMGPU_SIM_...).
const traced = ['-O2', '-g1', '-ffp-contract=fast', '-fno-optimize-sibling-calls', '-fno-vectorize', '-fno-slp-vectorize', '-fno-unroll-loops',
    '-Xclang', '-fsanitize=thread', '-mllvm', '-tsan-instrument-func-entry-exit=0', '-mllvm', '-tsan-instrument-read-before-write=1',
    '-mllvm', '-tsan-distinguish-volatile=1', '-fno-finite-loops', '-mllvm', '-enable-tail-merge=0',
    '-mllvm', '-simplifycfg-sink-common=0', '-mllvm', '-simplifycfg-hoist-common=0',
    '-DSIMGPU_TRACED=1', '-D__CUDACC__=1', '-D__NVCC__=1'];
const standalone = ['-DSIMGPU_STANDALONE=1', '-include', 'simgpu/standalone.h', '-w', '-fno-caret-diagnostics', '-fno-show-column'];
const ours = file => file.startsWith('/simgpu/') || file.startsWith('simgpu/');

export class CompileError extends Error {}

/** Compiles one program: `main` is the path of its .cu file in `files` (path -> text), which also holds what it
 * includes; `defines` are -D options. `tools` are those of tools.mjs, with `rewrite` and `headers` (headers.json).
 * Returns the program's bytes, the sites that load() needs, and milliseconds by part. */
export async function compile({ main, files, defines = [] }, tools) {
    const times = {}; let at = performance.now();
    const lap = what => { const now = performance.now(); times[what] = Math.round(now - at); at = now; };
    const { object, sites } = await to_object({ main, files, options: [...standalone, ...defines], lap }, tools);
    const bytes = tools.leavable(await link({ 'program.o': object }, tools, lap));
    lap('leavable');
    return { bytes, sites, times };
}

/** Compiles one file of CUDA with these options to an object file: { object, ir, sites, messages }. Its sites are
 * numbered from those of `before` on, the sites of a file that it is linked with. */
export async function to_object({ main, files, options, before = [], lap = () => {} }, tools) {
    const { text, messages } = await tools.rewrite(main, files);
    if (text === null) throw new CompileError(messages);
    lap('rewrite');
    const ir = await tools.clang(['clang++', ...target, ...traced, '-I/simgpu/include', '-I/simgpu/made', `-I/${main.replace(/[^/]*$/, '')}`, '-I/', ...options,
        '-S', '-emit-llvm', '-x', 'c++', 'program.cpp', '-o', '-'], { ...tools.tree(files), 'program.cpp': text, simgpu: tools.headers });
    if (!ir.out) throw new CompileError(ir.messages);
    lap('compile');
    const numbered = numberSites(as_text(ir.out), ours, before);
    lap('number');
    const object = await assemble(numbered.ir.replace(/\bsanitize_thread\b/g, ''), ['-O1', '-Xclang', '-disable-llvm-passes'], tools);
    lap('assemble');
    return { object, ir: numbered.ir, sites: numbered.sites, messages: ir.messages };
}

/** From LLVM's textual IR to an object file. */
export async function assemble(ir, options, tools) {
    const made = await tools.clang(['clang', '--target=wasm32-wasip1', '-fPIC', ...options, '-c', '-x', 'ir', 'program.ll', '-o', '-'], { 'program.ll': ir });
    if (!made.out) throw new CompileError(made.messages);
    return made.out;
}

/** Object files (name -> bytes) as a program that load() takes. */
export async function link(objects, tools, lap = () => {}) {
    const linked = await tools.llvm(['wasm-ld', '--experimental-pic', '-shared', '--unresolved-symbols=import-dynamic', ...Object.keys(objects), '-o', 'program.wasm'], objects);
    if (!linked.files?.['program.wasm']) throw new CompileError(linked.messages);
    lap('link');
    return linked.files['program.wasm'];
}

export const as_text = data => typeof data === 'string' ? data : new TextDecoder().decode(data);
