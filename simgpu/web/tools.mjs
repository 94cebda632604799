// SPDX-License-Identifier: MIT
// The programs that compile.mjs runs, all of them WebAssembly: Clang and LLD (@yowasp/clang), the rewriting tool,
// Binaryen's asyncify pass.
import { runClang, runLLVM } from '@yowasp/clang';
import binaryen from 'binaryen';
import { prepare } from './clang.mjs';
import { tree, wasi } from './surroundings.mjs';

export { tree, wasi };

/** Joins pieces of bytes. */
function gatherer() {
    let bytes = new Uint8Array(1 << 16), size = 0;
    return {
        take(piece) {
            if (!piece) return;
            if (size + piece.length > bytes.length) {
                const larger = new Uint8Array(2 * (size + piece.length));
                larger.set(bytes);
                bytes = larger;
            }
            bytes.set(piece, size);
            size += piece.length;
        },
        all: () => bytes.slice(0, size),
    };
}

/** Runs a tool on a tree of files. Returns { files, out, messages }, or only messages if it failed. `out` is its standard
 * output. With "-o -" the compiler writes there: it writes a few bytes at a time, and a file is copied at each write. */
const collected = tool => async (args, files) => {
    const decoder = new TextDecoder(), out = gatherer();
    let messages = '';
    await prepare();
    try {
        const made = await tool(args, files, { stdout: out.take, stderr: b => { if (b) messages += decoder.decode(b); }, decodeASCII: false });
        return { files: made, out: out.all(), messages };
    } catch (e) {
        return { messages: messages || String(e) };
    }
};
export const llvm = collected(runLLVM), clang = collected(driven);

const commands = new Map(); // a driver's command line -> the commands that it starts
/** Does what runClang does, which asks the driver at each call which commands to start. This asks once for each command
 * line. */
async function driven(args, files, options) {
    const key = JSON.stringify(args), decoder = new TextDecoder();
    if (!commands.has(key)) {
        let said = '';
        const add = bytes => { if (bytes) said += decoder.decode(bytes); };
        await runLLVM([args[0], '-###', ...args.slice(1)], files, { stdout: add, stderr: add }).catch(() => { said = ''; });
        commands.set(key, [...said.matchAll(/^ ".*$/gm)].map(([line]) => [...line.matchAll(/ "((?:[^"\\$]|\\["\\$])*)"/g)]
            .map(([, word]) => word.replaceAll(/\\(["\\$])/g, '$1')).filter(word => word !== '')));
    }
    if (!commands.get(key).length) return runClang(args, files, options); // reports what is wrong
    for (const command of commands.get(key)) files = await runLLVM(command, files, options);
    delete files.tmp;
    return files;
}

export const rewriter = module => async (main, files) => {
    let messages = '';
    const decoder = new TextDecoder(), tell = b => { messages += decoder.decode(b); };
    const run = wasi(['rewrite', '-I', '/.', '-o', '/out.cpp', `/${main}`], [], tree(files), tell, tell);
    const status = run.wasi.start(await WebAssembly.instantiate(module, { wasi_snapshot_preview1: run.wasi.wasiImport }));
    return { text: status === 0 ? decoder.decode(run.file('out.cpp')) : null, messages };
};

/** Rewrites functions so that they can be left and entered again (fibers.cpp). The runtime holds the state, and the
 * program imports it. */
function asyncify(bytes, options) {
    const module = binaryen.readBinary(bytes), f = binaryen.Features;
    module.setFeatures(f.MutableGlobals | f.NontrappingFPToInt | f.BulkMemory | f.BulkMemoryOpt | f.SignExt | f.ReferenceTypes | f.Multivalue);
    binaryen.setOptimizeLevel(1);
    binaryen.clearPassArguments();
    for (const [name, value] of Object.entries(options)) binaryen.setPassArgument(`asyncify-${name}`, value);
    module.runPasses(['asyncify']);
    const changed = module.emitBinary();
    module.dispose();
    return changed;
}

/** Rewrites, in the runtime, only the functions that lead to a switch of threads; a kernel is called through a pointer. */
export const runtime_leavable = bytes =>
    asyncify(bytes, { 'ignore-imports': '1', 'ignore-indirect': '1', addlist: '*fiber_main*', 'export-globals': '1' });
export const leavable = bytes => asyncify(bytes, {
    'import-globals': '1',
    imports: ['syncthreads', 'syncthreads_count', 'syncgrid', 'syncwarp', 'shuffle', 'ballot', 'gather', 'active_lanes', 'mma', 'atomic', 'await', 'mbarrier_wait', 'mbarrier_test',
        'barrier_sync', 'warp_registers', 'wgmma_wait', 'fragments', 'cluster_wait'].map(n => `env.simgpu_${n}`)
        .concat('env.__tsan_volatile_*', 'env.__tsan_unaligned_volatile_*', 'env._Z*').join(','), // _Z: its own inline functions, which it calls as imports
});
