// SPDX-License-Identifier: MIT
// What exercises need in the page: the lab and the checker, compiled for WebAssembly from tools/lab and common/, and the
// exercises' own files.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const target = ['--target=wasm32-wasip1', '-w', '-I.', '-include', 'docs/site/playground/sources/wasi.h', '-D_GNU_SOURCE', '-DLADDER_ROOT=""', '-DLADDER_PROCESSOR_TIME',
    ...['MMAN', 'SIGNAL', 'PROCESS_CLOCKS', 'GETPID'].map(what => `-D_WASI_EMULATED_${what}`)];
const in_c = ['clang', ...target, '-O2', '-std=gnu11'];
const lab = ['base', 'exercises', 'progress', 'web', 'commands/commands', ...['check', 'compile', 'evidence', 'explain', 'facts', 'inspect', 'run', 'source'].map(name => `judge/${name}`)];
// The sources of common/CMakeLists.txt's ladder_common, and those that exercises/CMakeLists.txt adds.
const checker_lab = [...['exercise_main', 'arrays', 'device', 'diagnose', 'show'].map(name => `program/${name}`), 'mistakes/explain', 'mistakes/findings', 'mistakes/levels', 'mistakes/schemes', 'mistakes/sums'];
const checker_exercises = ['exercises/apart.c', 'exercises/questions.c'];
const missing_headers = ['elf.h', 'execinfo.h', 'glob.h', 'sys/resource.h', 'sys/statvfs.h', 'sys/syscall.h', 'sys/mman.h'];

const texts = (root, folder, wanted) => fs.readdirSync(path.join(root, folder), { recursive: true }).filter(name => wanted.test(name))
    .map(name => path.posix.join(folder, name.split(path.sep).join('/'))).sort();
const all_of = (root, files) => Object.fromEntries(files.map(file => [file, fs.readFileSync(path.join(root, file), 'utf8')]));

/** Returns the page's files: name -> bytes. `tools` is simgpu/web/tools.mjs, ENGINE its folder. */
export async function build_lab(root, engine, tools) {
    const shims = Object.fromEntries(missing_headers.map(name => [`shims/${name}`, '']));
    const common = texts(root, 'common', /\.(c|h|cu|cuh)$/), lab_files = texts(root, 'tools/lab', /\.[ch]$/);
    const files = { ...all_of(root, [...common, ...lab_files, ...checker_exercises, 'exercises/apart.h', 'exercises/questions.h', 'docs/site/playground/sources/wasi.h', 'simgpu/simgpu.h', 'simgpu/include/simgpu/hooks.h']), ...shims };
    /** A tool's result, kept in `out` until its input changes. */
    async function kept(name, input, make) {
        const key = createHash('sha256').update(JSON.stringify(input)).digest('hex').slice(0, 16), file = path.join(engine, 'out', `${key}.${name}`);
        if (!fs.existsSync(file)) {
            const made = await make();
            if (!made.files?.[name]) throw new Error(`${name} could not be made:\n${made.messages}`);
            fs.writeFileSync(file, made.files[name]);
        }
        return fs.readFileSync(file);
    }
    /** Compiles sources of C into one object file, which a program of the page is linked with. */
    const together = (name, sources, flags) => kept(name, [sources, flags, files], async () => {
        const made = await tools.clang([...in_c, ...flags, '-Ishims', '-c', ...sources], tools.tree(files));
        if (!made.files) return made;
        const objects = Object.fromEntries(Object.entries(made.files).filter(([file]) => file.endsWith('.o')));
        return tools.llvm(['wasm-ld', '-r', ...Object.keys(objects), '-o', name], objects);
    });
    const library = common.filter(file => file.endsWith('.c') && !/backend_cpu/.test(file)).concat(checker_exercises, checker_lab.map(name => `tools/lab/${name}.c`));
    const checker = await together('checker.o', library, ['-fPIC', '-fvisibility=default']);
    const cpu = await together('cpu.o', ['common/device/backend_cpu.c'], ['-fPIC', '-fvisibility=default']);
    const lab_object = await together('lab.o', [...lab.map(name => `tools/lab/${name}.c`), 'common/device/host.c', 'common/device/timer.c'], []);
    const program = await kept('lab.wasm', createHash('sha256').update(lab_object).digest('hex'), () => tools.clang(['clang', '--target=wasm32-wasip1', 'lab.o', '-o', 'lab.wasm',
        '-Wl,-z,stack-size=1048576', '-lwasi-emulated-signal', '-lwasi-emulated-getpid'], { 'lab.o': lab_object }));
    const headers = JSON.parse(fs.readFileSync(path.join(engine, 'out/headers.json'), 'utf8'));
    const rewrite = tools.rewriter(await WebAssembly.compile(fs.readFileSync(path.join(engine, 'out/rewrite.wasm'))));
    const gpu = await kept('sim.o', [files, headers], async () => {
        const { text, messages } = await rewrite('common/device/backend_gpu.cu', files);
        if (text === null) return { messages };
        return tools.clang(['clang++', ...target, '-O1', '-fPIC', '-fvisibility=default', '-std=gnu++17', '-fno-exceptions', '-DLADDER_SIM', '-I/simgpu/include', '-I/simgpu/made', '-Ishims',
            '-c', 'backend.cpp', '-o', 'sim.o'], { ...tools.tree({ ...files, 'backend.cpp': text }), simgpu: { ...headers, 'simgpu.h': files['simgpu/simgpu.h'] } });
    });
    const both = backend => kept('library.o', [checker, backend].map(o => createHash('sha256').update(o).digest('hex')), () =>
        tools.llvm(['wasm-ld', '-r', 'checker.o', 'backend.o', '-o', 'library.o'], { 'checker.o': checker, 'backend.o': backend }));
    const headers_of_steps = texts(root, 'steps', /\.c?u?h$/);
    const sources = texts(root, 'exercises', /\.(c|h|cu|cuh|md)$|fast-track$/);
    return {
        'lab.wasm': program, 'lab_cpu.o': await both(cpu), 'lab_gpu.o': await both(gpu),
        'exercises.json': Buffer.from(JSON.stringify({ exercises: all_of(root, sources),
            headers: all_of(root, [...common, ...headers_of_steps, ...sources].filter(file => /\.(h|cuh)$/.test(file))) })),
    };
}
