// SPDX-License-Identifier: MIT
// The exercises' side of the page: starts ./ladder lab's own program (tools/lab/web.c), which says what must be
// compiled and run, and carries that out.
import { assemble, as_text, CompileError, link, to_object } from '../../../simgpu/web/compile.mjs';
import { load } from '../../../simgpu/web/load.mjs';

const asks = 100; // the exit status of a lab that waits for a process
const settings = ['CC=clang', 'CXX=clang++', 'CLANG=yes', 'C_FLAGS=-std=gnu11', 'SIM_FLAGS=-DLADDER_SIM', 'SIM_REWRITE=rewrite', 'SIM_LIBRARY=lab', 'SIM_MADE_HEADERS=made'].join('\n') + '\n';
const encoder = new TextEncoder(), decoder = new TextDecoder();

/** An answer in the form that web.c reads. */
function answer_bytes({ status = 0, signal = 0, late = 0, out = '', err = '', said = null, object = null }) {
    const parts = [`${status} ${signal} ${late}\n`];
    for (const part of [out, err, said, object]) {
        const bytes = part === null ? null : typeof part === 'string' ? encoder.encode(part) : part;
        parts.push(bytes ? `${bytes.length}\n` : '-1\n', bytes ?? '');
    }
    const all = parts.map(part => typeof part === 'string' ? encoder.encode(part) : part), joined = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
    all.reduce((at, part) => { joined.set(part, at); return at + part.length; }, 0);
    return joined;
}

/** The lab with these files (exercises.json). `wasi` is that of surroundings.mjs. */
export function make_lab(module, { exercises }, wasi) {
    const once = async (args, tree, environment = []) => {
        let out = '', err = '';
        const collect = add => { const d = new TextDecoder(); return bytes => add(d.decode(bytes, { stream: true })); };
        const around = wasi(['lab', ...args], environment, tree, collect(t => { out += t; }), collect(t => { err += t; }));
        const status = around.wasi.start(await WebAssembly.instantiate(module, { wasi_snapshot_preview1: around.wasi.wasiImport }));
        const text = path => { const data = around.file(path); return data ? decoder.decode(data) : null; };
        return { status, out, err, text };
    };
    const in_folders = files => {
        const root = { tmp: {}, answers: {}, build: { lab: { settings } } };
        for (const [path, text] of Object.entries(files)) {
            const folders = path.split('/'), name = folders.pop();
            folders.reduce((folder, part) => folder[part] ??= {}, root)[name] = text;
        }
        return root;
    };
    /** Runs a command; `lab` are the learner's files (path below lab/ -> text). Returns { status, out, err, progress }. */
    async function command(args, lab, carry_out = null, tell = () => {}, environment = []) {
        const answers = {};
        for (let asked = 0;; asked++) {
            const tree = in_folders({ ...exercises, ...Object.fromEntries(Object.entries(lab).map(([path, text]) => [`lab/${path}`, text])) });
            tree.lab ??= {};
            tree.answers = { ...answers };
            const run = await once(args, tree, environment);
            if (run.status !== asks) return { status: run.status, out: run.out, err: run.err, progress: run.text('lab/progress') ?? lab.progress ?? '' };
            tell(run.out);
            answers[asked] = answer_bytes(await carry_out(run.text('asked').trimEnd().split('\n'), run.text));
        }
    }
    return { command };
}

// ---- the processes of a check ----

/** An object file's symbols as an ELF file, which the lab inspects (inspect.c). */
function as_elf(ir) {
    const symbols = [], names = ['']; let kept = 0;
    const add = (name, binding, defined) => { symbols.push({ name: names.length && names.join('\0').length + 1, binding, defined }); names.push(name); };
    for (const [, kind, rest, , name] of ir.matchAll(/^(define|declare) ([^@\n]*)@("?)([^"(\n]+)\3\(/gm))
        if (!/^(llvm|simgpu_site)/.test(name)) add(name, /\b(internal|private)\b/.test(rest) ? 0 : /\b(weak|linkonce)/.test(rest) ? 2 : 1, kind === 'define');
    for (const [, , name, words, kind, type] of ir.matchAll(/^@("?)([^"\n]+?)\1 = ([^\n]*?)\b(constant|global) ([^\n]*)$/gm)) {
        if (/^(llvm\.|simgpu_site|simgpu_globals)/.test(name)) continue;
        if (/\bexternal\b/.test(words)) { add(name, 1, false); continue; }
        add(name, /\b(internal|private)\b/.test(words) ? 0 : /\b(weak|linkonce)/.test(words) ? 2 : 1, true);
        if (kind === 'global' && !/section "simgpu/.test(type)) kept += bytes_of(type, ir);
    }
    const strings = encoder.encode(`${names.join('\0')}\0`), sections = encoder.encode('\0.symtab\0.strtab\0.data\0.init_array\0');
    const table = new Uint8Array(24 * (symbols.length + 1)), view = new DataView(table.buffer);
    symbols.forEach(({ name, binding, defined }, i) => {
        const at = 24 * (i + 1);
        view.setUint32(at, name, true);
        view.setUint8(at + 4, binding << 4);
        view.setUint16(at + 6, defined ? 1 : 0, true);
    });
    const at_table = 64, at_strings = at_table + table.length, at_sections = at_strings + strings.length, headers = Math.ceil((at_sections + sections.length) / 8) * 8;
    const elf = new Uint8Array(headers + 5 * 64), file = new DataView(elf.buffer);
    elf.set([127, 69, 76, 70, 2]);
    file.setUint32(40, headers, true);
    file.setUint16(60, 5, true);
    file.setUint16(62, 2, true);
    elf.set(table, at_table), elf.set(strings, at_strings), elf.set(sections, at_sections);
    const section = (i, name, type, flags, offset, size, link) => [[0, name], [4, type], [8, flags], [24, offset], [32, size], [40, link]]
        .forEach(([at, value]) => file.setUint32(headers + 64 * i + at, value, true));
    section(1, 1, 2, 0, at_table, table.length, 3);
    section(2, 9, 3, 0, at_sections, sections.length, 0); // its names are the sections' own
    section(3, 9, 3, 0, at_strings, strings.length, 0);
    section(4, 17, 1, 3, 0, kept, 0);
    return elf;
}

/** The size of the variable whose type a text begins with. */
function bytes_of(text, ir) {
    const sizes = { i1: 1, i8: 1, i16: 2, i32: 4, i64: 8, half: 2, float: 4, double: 8, ptr: 4 };
    let rest = text;
    const type = () => {
        rest = rest.trimStart();
        const array = rest.match(/^[[<](\d+) x /);
        if (array) { rest = rest.slice(array[0].length); const one = type(); rest = rest.trimStart().slice(1); return +array[1] * one; }
        if (/^<?\{/.test(rest)) {
            rest = rest.replace(/^<?\{/, '');
            let sum = 0;
            while (!/^\s*\}/.test(rest)) { sum += type(); rest = rest.trimStart().replace(/^,/, ''); }
            rest = rest.trimStart().replace(/^\}>?/, '');
            return sum;
        }
        const name = rest.match(/^(%"[^"]+"|[%\w.:$]+)/)?.[0] ?? '';
        rest = rest.slice(name.length || 1);
        if (name[0] !== '%') return sizes[name] ?? 0;
        const at = ir.indexOf(`\n${name} = type `);
        return at < 0 ? 0 : bytes_of(ir.slice(at + name.length + 9, ir.indexOf('\n', at + 1)), ir);
    };
    return type();
}

/** The compilers that the lab asks for: returns a function that carries out their command lines. `tools` as in compile;
 * libraries are { c, cu } -> bytes. `program` of the result is the last program that it linked: { bytes, sites }. */
export function make_compiler(tools, headers, libraries) {
    let parts = {}, cuda = false;
    const mine = messages => messages.replaceAll('/exercise.c', 'exercise.c').replaceAll('program.cpp', 'exercise.cu');
    const compiler = { program: null, async carry_out(argv, text) {
        if (argv[0] === 'rewrite') { parts = {}; return {}; }
        try {
            if (argv.includes('-c')) {
                cuda = argv[0] === 'clang++';
                const name = argv[argv.indexOf('-o') + 1].split('/').pop(), main = cuda ? 'exercise.cu' : 'exercise.c', options = [];
                argv.forEach((word, i) => { if (word === '-include') options.push(word, argv[i + 1]); else if (/^-[DW]|^-f(error|macro)/.test(word)) options.push(word); });
                const files = { ...headers, [main]: text(`tmp/lab/compile/${main}`) };
                if (!cuda) parts = {};
                const made = cuda ? await to_object({ main, files, options, before: Object.values(parts)[0]?.sites }, tools) : await object_of_c(main, files, options, tools);
                parts[name] = made;
                return { err: mine(made.messages), object: as_elf(made.ir) };
            }
            const objects = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.object]));
            const bytes = await link({ ...objects, 'library.o': cuda ? libraries.cu : libraries.c }, tools);
            compiler.program = { bytes: cuda ? tools.leavable(bytes) : bytes, sites: Object.values(parts).at(-1).sites };
            return {};
        } catch (e) {
            if (!(e instanceof CompileError)) throw e;
            return { status: 1, err: mine(e.message) };
        }
    } };
    return compiler;
}

async function object_of_c(main, files, options, tools) {
    const made = await tools.clang(['clang', '--target=wasm32-wasip1', '-std=gnu11', '-O3', '-msimd128', '-fPIC', '-fvisibility=default', '-I/', ...options, '-S', '-emit-llvm', main, '-o', '-'], tools.tree(files));
    if (!made.out) throw new CompileError(made.messages);
    const ir = as_text(made.out);
    return { ir, messages: made.messages, sites: [], object: await assemble(ir, ['-O2'], tools) };
}

/** Runs an exercise's program to its end: an answer, without `late`. `wasi_of_exercise` is that of surroundings.mjs. */
export async function run_exercise(runtime, program, { sites, sources, argv }, wasi_of_exercise) {
    const out = { 1: '', 2: '', 3: '' }, decoders = { 1: new TextDecoder(), 2: new TextDecoder(), 3: new TextDecoder() };
    const take = stream => bytes => { if (out[stream].length < 1 << 18) out[stream] += decoders[stream].decode(bytes, { stream: true }); };
    const wasi = wasi_of_exercise(argv, ['LADDER_LAB_CHANNEL=yes', 'LC_ALL=C.UTF-8'], take(1), take(2), take(3));
    const answer = { status: 0, signal: 0, said: null };
    let loaded = null;
    try {
        loaded = await load(runtime, program, { wasi, sites, sources });
        answer.status = loaded.main(argv);
        if (out[3].endsWith(`\nstatus ${answer.status}\n`)) answer.said = out[3];
    } catch (e) {
        answer.crash = String(e);
        answer.signal = e instanceof WebAssembly.RuntimeError && /unreachable/.test(e.message) ? 6 : 11;
        answer.status = -1;
        // The stack is below all other memory: if it overflows, addresses fall below zero, or the browser's own stack ends.
        if (e instanceof RangeError || loaded && loaded.rt.__stack_pointer.value >>> 0 > loaded.rt.memory.buffer.byteLength) out[2] += 'crash 0 stack 0\n'; // as exercise_main.c writes it
    }
    return { ...answer, out: out[1], err: out[2] };
}
