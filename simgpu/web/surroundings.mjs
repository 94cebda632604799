// SPDX-License-Identifier: MIT
// The surroundings of a WebAssembly program: arguments, environment, files.
import { ConsoleStdout, Directory, Fd, File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';

/** Files by their paths (path -> text) as folders in folders. */
export function tree(files) {
    const root = {};
    for (const [path, text] of Object.entries(files)) {
        const folders = path.split('/'), name = folders.pop();
        folders.reduce((folder, part) => folder[part] ??= {}, root)[name] = text;
    }
    return root;
}

/** Descriptor 3, through which an exercise's program reports to the lab (tools/lab/program/channel.h). */
class Channel extends Fd {
    constructor(take) { super(); this.take = take; }
    fd_prestat_get() { return { ret: 8, prestat: null }; } // no folder, and none comes after it
    fd_write(data) { this.take(data); return { ret: 0, nwritten: data.byteLength }; }
    fd_fdstat_get() { return { ret: 8, fdstat: null }; }
}

/** The surroundings of an exercise's program. */
export function wasi_of_exercise(args, environment, stdout, stderr, take) {
    return new WASI(args, environment, [new OpenFile(new File([])), new ConsoleStdout(stdout), new ConsoleStdout(stderr), new Channel(take)], { debug: false });
}

/** A program's surroundings: arguments, environment, files (a tree), and where its output goes. */
export function wasi(args, environment, files, stdout, stderr) {
    const entries = folder => new Map(Object.entries(folder).map(([name, what]) =>
        [name, typeof what === 'string' ? new File(new TextEncoder().encode(what)) : what instanceof Uint8Array ? new File(what) : new Directory(entries(what))]));
    const root = new PreopenDirectory('/', entries(files));
    const made = new WASI(args, environment, [new OpenFile(new File([])), new ConsoleStdout(stdout), new ConsoleStdout(stderr), root], { debug: false });
    const at = path => path.split('/').filter(Boolean).reduce((folder, name) => folder?.contents?.get(name), root.dir);
    return { wasi: made, file: path => at(path)?.data };
}
