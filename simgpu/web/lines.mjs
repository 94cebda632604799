// SPDX-License-Identifier: MIT
// Numbers the places of a program from which the simulator is called, in LLVM's textual IR: each such call then
// stores its number in simgpu_site first. A WebAssembly program cannot find out where it was called.
// It also lists the program's variables, for addresses that a kernel must not touch.

/** Functions of the simulator that need to know their caller. */
const asks = /^(__tsan_(?!init|func_)|simgpu_|cuda|cublas|free$|_Zd[la])/;

/** The metadata nodes of a module: number -> text. */
function nodes(ir) {
    const all = new Map();
    for (const m of ir.matchAll(/^!(\d+) = (?:distinct )?(.*)$/gm)) all.set(m[1], m[2]);
    return all;
}
const field = (node, name) => node?.match(new RegExp(`\\b${name}: (?:!(\\d+)|"([^"]*)"|(\\d+))`))?.slice(1).find(x => x !== undefined);

/** `ours(file)`: is it one of the simulator's headers? Returns the changed IR and, for site 4 * (i + 1), sites[i]
 * = {file, line, function, type, constant}. `before`: the sites of a file that it is linked with, which come first. */
export function numberSites(ir, ours, before = []) {
    const meta = nodes(ir), places = new Map();
    const file_of = scope => {
        for (let node = meta.get(scope); node; node = meta.get(field(node, 'scope'))) {
            const file = field(node, 'file');
            if (file) return field(meta.get(file), 'filename') ?? '';
        }
        return '';
    };
    const function_of = scope => {
        for (let node = meta.get(scope); node; node = meta.get(field(node, 'scope')))
            if (node.startsWith('DISubprogram')) return field(node, 'name') ?? '';
        return '';
    };
    /** The innermost place that is not the simulator's own; else the outermost. */
    const place = number => {
        if (places.has(number)) return places.get(number);
        let found = { file: '', line: 0, function: '' };
        for (let node = meta.get(number); node; node = meta.get(field(node, 'inlinedAt'))) {
            const scope = field(node, 'scope');
            found = { file: file_of(scope), line: +field(node, 'line') || 0, function: function_of(scope) };
            if (found.file && !ours(found.file)) break;
        }
        places.set(number, found);
        return found;
    };
    const sites = [...before], lines = ir.split('\n');
    /** The store, or else the load, at this pointer soon after line i: its type, and whether a constant is stored. */
    const access_after = (i, pointer, store) => {
        for (let j = i + 1; j < Math.min(i + 12, lines.length); j++) {
            const [, type, value, at] = lines[j].match(store ? /^\s*store (?:volatile )?(<.*?>|[^ ]+) (.*?), ptr ([^,]+)/
                : /= load (?:volatile )?(<.*?>|[^ ,]+)()?, ptr ([^,]+)/) ?? [];
            if (at === pointer) return { type, constant: store && !/[%]/.test(value) };
        }
        return { constant: false };
    };
    let before_here = new Set(); // the labels of the function's blocks up to this line
    for (let i = 0; i < lines.length; i++) {
        if (lines[i].startsWith('define ')) before_here = new Set();
        const [, label] = lines[i].match(/^([\w.]+):/) ?? [];
        if (label) before_here.add(label);
        if (/^ *(br|switch) /.test(lines[i])) {
            const end = lines[i].endsWith('[') ? lines.findIndex((line, j) => j > i && /^ *\]/.test(line)) : i, words = lines.slice(i, end + 1).join(' ');
            if ([...words.matchAll(/label %([\w.]+)/g)].some(([, to]) => before_here.has(to))) { // back to an earlier block: a turn of a loop
                const at = words.match(/!dbg !(\d+)/);
                if (at) sites.push(place(at[1]));
                lines[i] = `${at ? `  store i32 ${4 * sites.length}, ptr @simgpu_site, align 4\n` : ''}  call void @simgpu_turn()\n${lines[i]}`;
            }
        }
        const call = lines[i].match(/^\s*(?:%[\w.]+ = )?(?:tail |musttail |notail )?call .*?@("?)([\w.$]+)\1\((.*)$/);
        if (!call || !asks.test(call[2])) continue;
        const debug = call[3].match(/!dbg !(\d+)/), pointer = call[3].match(/^ptr (?:\w+ |\w+\(\d+\) )*([%@][\w.]+)/);
        const site = { ...(debug ? place(debug[1]) : { file: '', line: 0, function: '' }) };
        if (call[2].startsWith('__tsan_')) Object.assign(site, access_after(i, pointer?.[1] ?? '', /write/.test(call[2])));
        sites.push(site);
        lines[i] = `  store i32 ${4 * sites.length}, ptr @simgpu_site, align 4\n${lines[i]}`;
    }
    return { ir: lines.join('\n') + (before.length ? '' : globals(ir)) + '\n@simgpu_site = external global i32\ndeclare void @simgpu_turn()\n', sites };
}

/** A table of the program's variables for simgpu_web_globals(): address, size, kind (lines.cpp). */
function globals(ir) {
    const entries = [];
    for (const m of ir.matchAll(/^(@[\w.$]+|@"[^"]+") = ([^\n]*?)\b(constant|global) ([^\n]*)$/gm)) {
        const [, name, before, kind, rest] = m;
        if (/external|thread_local|declare|@llvm\./.test(before + name) || name.startsWith('@llvm.')) continue;
        const type = type_at(rest);
        if (!type) continue;
        const own = /section "simgpu_constant"/.test(rest) ? 2 : kind === 'constant' ? 1 : 3;
        entries.push(`{ ptr, i32, i32 } { ptr ${name}, i32 ptrtoint (ptr getelementptr (${type}, ptr null, i32 1) to i32), i32 ${own} }`);
    }
    return `\n@simgpu_globals = constant [${entries.length} x { ptr, i32, i32 }] [${entries.join(', ')}]\n` +
        `@simgpu_globals_count = constant i32 ${entries.length}\n`;
}

/** The type that a text begins with. */
function type_at(text) {
    if (/^[[{<(]/.test(text)) {
        let depth = 0;
        for (let i = 0; i < text.length; i++) {
            if ('[{<('.includes(text[i])) depth++;
            if (']}>)'.includes(text[i]) && --depth === 0) return text.slice(0, i + 1);
        }
        return null;
    }
    return text.match(/^(%[\w.:$]+|%"[^"]+"|\w+)/)?.[1] ?? null;
}
