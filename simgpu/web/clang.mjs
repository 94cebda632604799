// SPDX-License-Identifier: MIT
// Fetches the compiler's files. This is a separate module, so that a page can begin before Binaryen, for which tools.mjs
// waits, has arrived.
import { runLLVM } from '@yowasp/clang';

let ready;
export const prepare = () => ready ??= runLLVM(null, {}, { fetchProgress() {} });
