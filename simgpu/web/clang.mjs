// SPDX-License-Identifier: MIT
// The compiler's files: a module of its own, so that they can be asked for before Binaryen's, on which tools.mjs waits.
import { runLLVM } from '@yowasp/clang';

let ready;
/** Fetches the compiler, once. */
export const prepare = () => ready ??= runLLVM(null, {}, { fetchProgress() {} });
