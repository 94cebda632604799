// SPDX-License-Identifier: MIT
// Links a program to the simulator's runtime in the page, as a dynamic linker does: the program is a
// WebAssembly "side module" that imports the runtime's memory, table and functions
// (github.com/WebAssembly/tool-conventions, DynamicLinking.md).

const leave = { toString: () => 'a simulated thread was left' }, given_up = { toString: () => 'a call was given up' };

/** The sizes that the program's first section asks for. */
function needs(module) {
    const bytes = new Uint8Array(WebAssembly.Module.customSections(module, 'dylink.0')[0]);
    let at = 0;
    const leb = () => { let value = 0, shift = 0, byte; do { byte = bytes[at++]; value |= (byte & 127) << shift; shift += 7; } while (byte & 128); return value; };
    while (at < bytes.length) {
        const kind = bytes[at++], size = leb(), end = at + size;
        if (kind === 1) return { memory: leb(), align: leb(), table: leb() };
        at = end;
    }
    return { memory: 0, align: 0, table: 0 };
}

/** The functions with addresses from 2 GB on as WebAssembly means them: JavaScript gets negative numbers. */
const unsigned = functions => Object.fromEntries(Object.entries(functions).map(([name, f]) =>
    [name, name === 'proc_exit' ? f : (...a) => f(...a.map(x => typeof x === 'number' ? x >>> 0 : x))]));

/** Loads one program into a runtime. `wasi` comes from @bjorn3/browser_wasi_shim, `sites` from lines.mjs; `sources` is
 * path -> text. */
export async function load(runtime, program, { wasi, sites, sources }) {
    let rt, exports, ranges = [];
    const decoder = new TextDecoder(), encoder = new TextEncoder();
    const memory = () => new Uint8Array(rt.memory.buffer);
    const text_at = p => { const m = memory(); let e = p; while (m[e]) e++; return decoder.decode(m.subarray(p, e)); };
    const text_to = text => { const b = encoder.encode(text + '\0'), p = rt.malloc(b.length) >>> 0; memory().set(b, p); return p; };
    const put = (text, p, size) => { const b = encoder.encode(text).subarray(0, size - 1); memory().set(b, p); memory()[p + b.length] = 0; };
    const page = {
        enter(stack, top) {
            const sp = rt.__stack_pointer, before = sp.value;
            sp.value = stack;
            try {
                rt.simgpu_run_fiber();
                new DataView(rt.memory.buffer).setUint32(top, sp.value, true);
                return 0;
            } catch (e) {
                if (e !== leave) throw e;
                return 1;
            } finally {
                sp.value = before;
            }
        },
        leave() { throw leave; },
        try(run, what) {
            const sp = rt.__stack_pointer, before = sp.value;
            try {
                rt.__indirect_function_table.get(run)(what);
                return 1;
            } catch (e) {
                if (e !== given_up) throw e;
                sp.value = before;
                return 0;
            }
        },
        give_up() { throw given_up; },
        site(number, file, file_size, name, name_size) {
            const s = sites[number / 4 - 1];
            if (!s) return 0;
            put(s.file, file, file_size);
            put(s.function, name, name_size);
            return s.line;
        },
        text(file, line, to, size) { put(sources[text_at(file).replace(/^\//, '')]?.split('\n')[line - 1] ?? '', to, size); },
        stores_constant: number => sites[number / 4 - 1]?.constant ? 1 : 0,
        polls: () => 1,
        owner: address => ranges.find(r => address >= r.begin && address < r.end)?.kind ?? 0,
    };
    const instance = await WebAssembly.instantiate(runtime, { page: unsigned(page), wasi_snapshot_preview1: unsigned(wasi.wasiImport) });
    rt = instance.exports;
    wasi.initialize(instance);
    const { memory: size, align, table: slots } = needs(program);
    const base = ((rt.malloc(size + (1 << align)) + (1 << align) - 1) & -(1 << align)) >>> 0;
    memory().fill(0, base, base + size);
    const table = rt.__indirect_function_table, table_base = table.grow(slots);
    const own = {}, got = {}, env = {
        memory: rt.memory, __indirect_function_table: table, __stack_pointer: rt.__stack_pointer,
        __memory_base: new WebAssembly.Global({ value: 'i32' }, base),
        __table_base: new WebAssembly.Global({ value: 'i32' }, table_base),
        __asyncify_state: rt.__asyncify_state, __asyncify_data: rt.__asyncify_data,
    };
    const resolve = name => rt[`__wrap_${name}`] ?? rt[name];
    const imports = { env, 'GOT.mem': {}, 'GOT.func': {} };
    for (const { module, name, kind } of WebAssembly.Module.imports(program)) {
        if (module === 'GOT.mem' || module === 'GOT.func')
            got[`${module} ${name}`] = imports[module][name] = new WebAssembly.Global({ value: 'i32', mutable: true }, 0);
        else if (module === 'env' && !(name in env)) {
            if (kind === 'function')
                env[name] = resolve(name) ?? ((...a) => exports?.[name] ? exports[name](...a) : missing(name));
            else throw new Error(`the program wants ${name}, a ${kind}`);
        } else if (module !== 'env') throw new Error(`the program wants ${module}.${name}`);
    }
    function missing(name) { throw new Error(`${name} is not there`); }
    exports = (await WebAssembly.instantiate(program, imports)).exports;
    const slot_of = f => { const at = table.grow(1); table.set(at, f); return at; };
    for (const [key, global] of Object.entries(got)) {
        const [module, name] = key.split(' ');
        const ours = exports[name], theirs = rt[name];
        if (module === 'GOT.mem') {
            if (ours instanceof WebAssembly.Global) global.value = ours.value + base;
            else if (theirs instanceof WebAssembly.Global) global.value = theirs.value;
            else if (!/^step_/.test(name)) throw new Error(`the program wants the variable ${name}`);
        } else if (!/^(__SIG_|simgpu_ask_)/.test(name)) global.value = slot_of(ours ?? resolve(name) ?? missing(name));
    }
    exports.__wasm_apply_data_relocs?.();
    const view = () => new DataView(rt.memory.buffer);
    if (exports.simgpu_globals) {
        const count = view().getUint32(base + exports.simgpu_globals_count.value, true);
        for (let i = 0, at = base + exports.simgpu_globals.value; i < count; i++, at += 12) {
            const begin = view().getUint32(at, true);
            ranges.push({ begin, end: begin + view().getUint32(at + 4, true), kind: view().getUint32(at + 8, true) });
        }
    }
    exports.__wasm_call_ctors?.();
    return {
        rt, exports,
        /** Calls main(); returns its status, or that of exit(). */
        main(args) {
            const pointers = args.map(text_to);
            const argv = rt.malloc(4 * (args.length + 1)) >>> 0;
            pointers.forEach((p, i) => view().setUint32(argv + 4 * i, p, true));
            view().setUint32(argv + 4 * args.length, 0, true);
            let status;
            try {
                status = (exports.__main_argc_argv ?? exports.__original_main ?? exports.main)(args.length, argv);
                rt.exit(status); // runs what atexit() was given, the report too
            } catch (e) {
                if (e?.code === undefined) throw e;
                status = e.code;
            }
            return rt.simgpu_end(status);
        },
        /** The SVG of what the captured warp touches at a line of a file ('': of any), and all warps in its arrays; or ''. */
        picture(line, file = '') { return text_at(rt.simgpu_svg(text_to(file), line) >>> 0); },
        result() { return JSON.parse(text_at(rt.simgpu_result() >>> 0)); },
    };
}
