// SPDX-License-Identifier: MIT
// Finds the files that a program includes.
import fs from 'node:fs';
import path from 'node:path';

/** Finds the files that a file includes between quotation marks, and those that they include: path from `root` -> text.
 * A file is in the folder of the one that includes it, or below `root`; others are the simulator's. */
export function sources_of(file, root, found = {}) {
    for (const [, name] of fs.readFileSync(file, 'utf8').matchAll(/^\s*#\s*include\s*"([^"]+)"/gm)) {
        const at = [path.join(path.dirname(file), name), path.join(root ?? '', name)].find(p => fs.existsSync(p));
        const inside = at && path.relative(root ?? path.dirname(file), at);
        if (!at || inside in found) continue;
        found[inside] = fs.readFileSync(at, 'utf8');
        sources_of(at, root ?? path.dirname(file), found);
    }
    return found;
}
