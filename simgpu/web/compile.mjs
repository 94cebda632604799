// SPDX-License-Identifier: MIT
// From a CUDA source to a WebAssembly program, as tools/sim.cpp does it natively: rewrite, compile with the
// tracer's calls, number these, link, and rewrite the result so that its threads can be left (fibers.cpp).
import { numberSites } from './lines.mjs';

const target = ['--target=wasm32-wasip1', '-fPIC', '-fvisibility=default', '-fcxx-exceptions', '-Xclang', '-fignore-exceptions', '-std=gnu++17'];
// What simgpu.cmake sets for Clang (SIMGPU_FLAGS, SIMGPU_TRACED_FLAGS, SIMGPU_SIM_...). And a store to shared memory stays, though the
// same thread overwrites it later: another thread may race with it.
const traced = ['-O2', '-g1', '-ffp-contract=fast', '-fno-optimize-sibling-calls', '-fno-vectorize', '-fno-slp-vectorize', '-fno-unroll-loops',
    '-Xclang', '-fsanitize=thread', '-mllvm', '-tsan-instrument-func-entry-exit=0', '-mllvm', '-tsan-instrument-read-before-write=1',
    '-mllvm', '-tsan-distinguish-volatile=1', '-fno-finite-loops', '-mllvm', '-enable-tail-merge=0',
    '-mllvm', '-simplifycfg-sink-common=0', '-mllvm', '-simplifycfg-hoist-common=0', '-mllvm', '-dse-memoryssa-scanlimit=0',
    '-DSIMGPU_TRACED=1', '-D__CUDACC__=1', '-D__NVCC__=1'];
// Overruns of local arrays, which the tracer does not see: not in the lab, as natively.
const standalone = ['-Xclang', '-fsanitize=array-bounds', '-Xclang', '-fsanitize-recover=array-bounds', '-DSIMGPU_STANDALONE=1', '-w', '-fno-caret-diagnostics', '-fno-show-column'];
const include = ['-I/simgpu/include', '-I/simgpu/made'], precompiled = 'standalone.pch', plain = ['-include', '/simgpu/include/simgpu/standalone.h'];
const ready = ['-include-pch', `/simgpu/${precompiled}`];
const ours = file => file.startsWith('/simgpu/') || file.startsWith('simgpu/');

export class CompileError extends Error {}

/** Compiles one program: `main` is the path of its .cu file in `files` (path -> text), which also holds what it
 * includes; `defines` are -D options. `tools` are those of tools.mjs, with `rewrite` and `headers` (headers.json).
 * Returns the program's bytes, the sites that load() needs, and milliseconds by part. */
export async function compile({ main, files, defines = [] }, tools) {
    const times = {}; let at = performance.now();
    const lap = what => { const now = performance.now(); times[what] = Math.round(now - at); at = now; };
    const from = first => to_object({ main, files, options: [...standalone, ...first, ...defines], lap }, tools);
    /* Clang can have 128 files open, and keeps each header open that a program includes though the precompiled file has it. So a
       program with many of C++'s headers is compiled without that file, which takes some seconds more. */
    const { object, sites } = await from(ready).catch(e => { if (/: Out of memory$/m.test(e.message)) return from(plain); throw e; });
    const bytes = tools.leavable(await link({ 'program.o': object }, tools, lap));
    lap('leavable');
    return { bytes, sites, times };
}

/** What a program includes before its first line, compiled once for all: build.mjs puts it among the headers. */
export async function precompile(tools) {
    const made = await tools.clang(['clang++', ...target, ...traced, ...include, ...standalone, '-Xclang', '-fno-pch-timestamp',
        '-x', 'c++-header', '/simgpu/include/simgpu/standalone.h', '-o', precompiled], { simgpu: tools.headers });
    if (!made.files) throw new CompileError(made.messages);
    return made.files[precompiled];
}

/** Compiles one file of CUDA with these options to an object file: { object, ir, sites, messages }. Its sites are
 * numbered from those of `before` on, the sites of a file that it is linked with. */
export async function to_object({ main, files, options, before = [], lap = () => {} }, tools) {
    const { text, messages } = await tools.rewrite(main, files);
    if (text === null) throw new CompileError(messages);
    lap('rewrite');
    const ir = await tools.clang(['clang++', ...target, ...traced, ...include, `-I/${main.replace(/[^/]*$/, '')}`, '-I/', ...options,
        '-S', '-emit-llvm', '-x', 'c++', 'program.cpp', '-o', '-'], { ...tools.tree(files), 'program.cpp': text, simgpu: tools.headers });
    if (!ir.out) throw new CompileError(ir.messages);
    lap('compile');
    const numbered = numberSites(as_text(ir.out), ours, before);
    lap('number');
    const object = await assemble(without_notes(numbered.ir), ['-O1', '-Xclang', '-disable-llvm-passes'], tools);
    lap('assemble');
    return { object, ir: numbered.ir, sites: numbered.sites, messages: ir.messages };
}

/** Removes from the IR what only the optimiser and the tracer's pass needed: places, types of accesses and attributes. */
function without_notes(ir) {
    const flags = ir.match(/^!llvm\.module\.flags = !\{(.*)\}$/m)?.[1].split(', ') ?? [];
    const kept = new Set(['!llvm.module.flags', ...flags]);
    return ir.split('\n').filter(line => line[0] === '!' ? kept.has(line.split(' ', 1)[0]) : !line.includes('@llvm.experimental.noalias.scope.decl('))
        .map(line => /^[@!]/.test(line) ? line : line.replace(/\bsanitize_thread\b|(?:,? ![a-zA-Z][\w.]* !\d+)+/g, '')).join('\n');
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
