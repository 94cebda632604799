// SPDX-License-Identifier: MIT
// The worker that runs one program. The page ends it if it takes too long.
// In: { runtime, program, sites, files, args, environment, launch, block, warp }. Out: { stream, text } as the program writes,
// then { status, result }, or { crash }. In: { exercise: arguments, runtime, program, sites, files }. Out: { answer },
// in the lab's form.
import { run_exercise } from './lab.mjs';
import { load } from '../../../simgpu/web/load.mjs';
import { wasi, wasi_of_exercise } from '../../../simgpu/web/surroundings.mjs';

const most_text = 200_000; // characters; a program that prints more prints in a loop
let written = 0;

function writer(stream) {
    const decoder = new TextDecoder();
    return bytes => {
        const text = decoder.decode(bytes, { stream: true }).slice(0, Math.max(0, most_text - written));
        written += text.length;
        if (text) postMessage({ stream, text });
    };
}

onmessage = async ({ data: { runtime, program, sites, files, args, environment, launch, block, warp, exercise } }) => {
    if (exercise) {
        postMessage({ answer: await run_exercise(runtime, program, { sites, sources: files, argv: exercise }, wasi_of_exercise) });
        return;
    }
    try {
        const around = wasi(args, environment, {}, writer('out'), writer('err'));
        const loaded = await load(runtime, program, { wasi: around.wasi, sites, sources: files });
        loaded.rt.simgpu_count_start();
        loaded.rt.simgpu_capture(block, warp);
        loaded.rt.simgpu_capture_launch(launch);
        const status = loaded.main(args), result = loaded.result(), pictures = {};
        for (const { file, line } of result.requests) pictures[`${file}:${line}`] ??= loaded.picture(line, file);
        postMessage({ status, result: { ...result, pictures }, cut: written >= most_text });
    } catch (e) {
        postMessage({ crash: e instanceof RangeError ? 'the stack or the memory is used up' : e.message ?? String(e) });
    }
};
