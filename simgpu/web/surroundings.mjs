// SPDX-License-Identifier: MIT
// What a WebAssembly program finds around it.
import { ConsoleStdout, Directory, File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';

/** Files by their paths (path -> text) as folders in folders. */
export function tree(files) {
    const root = {};
    for (const [path, text] of Object.entries(files)) {
        const folders = path.split('/'), name = folders.pop();
        folders.reduce((folder, part) => folder[part] ??= {}, root)[name] = text;
    }
    return root;
}

/** A program's surroundings: arguments, environment, files (a tree), and where its output goes. */
export function wasi(args, environment, files, stdout, stderr) {
    const entries = folder => new Map(Object.entries(folder).map(([name, what]) =>
        [name, typeof what === 'string' ? new File(new TextEncoder().encode(what)) : new Directory(entries(what))]));
    const root = new PreopenDirectory('/', entries(files));
    const made = new WASI(args, environment, [new OpenFile(new File([])), new ConsoleStdout(stdout), new ConsoleStdout(stderr), root], { debug: false });
    return { wasi: made, file: name => root.dir.contents.get(name)?.data };
}
