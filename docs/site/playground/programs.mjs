// SPDX-License-Identifier: MIT
// The programs that the playground offers: the primer's, an empty one, and the chapters' kernels with step.cuh around
// them. The page, the buttons in the chapters and the test that compares counts all read this list.
import fs from 'node:fs';
import path from 'node:path';
import { sources_of } from '../../../simgpu/web/sources.mjs';

// A chapter's step, the files that the reader sees, the variants, and the sizes: the first size is the default.
// `regions`: the variant that a chapter shows in a marked region, if it is neither the first nor named like the region.
// Steps 07 and 11 need more of common/ than step.cuh has. Steps 12 to 16 have too many fused kernels: the compiler in a
// page would take a minute.
const chapters = [
    { step: '06-gpu-naive', shown: ['06-gpu-naive.cu'], variants: ['coalesced', 'uncoalesced', 'memory'], sizes: [64, 32, 128] },
    { step: '08-gpu-shared', shown: ['tiles.cuh', '08-gpu-shared.cu'], sizes: [64, 32, 128],
        variants: ['tile16', 'tile16-at', 'tile16-bt', 'tile16-at-bt', 'tile16-at-bt-padded', 'tile32', 'document'],
        regions: { layouts: 'tile16-at' } },
    { step: '09-gpu-volkov', shown: ['09-gpu-volkov.cu'], variants: ['volkov'], sizes: [64, 128] },
    { step: '10-gpu8', shown: ['gpu8.cuh', '10-gpu8.cu'], variants: ['gpu8', 'verbatim'], sizes: [128, 256] },
];

const empty = `#include <stdio.h>

__global__ void square(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = i * i;
}

int main(void)
{
    const int n = 100;
    int *on_device, on_host[n];
    cudaMalloc(&on_device, sizeof on_host);
    square<<<(n + 31) / 32, 32>>>(on_device, n);
    cudaMemcpy(on_host, on_device, sizeof on_host, cudaMemcpyDeviceToHost);
    printf("%d squared is %d\\n", n - 1, on_host[n - 1]);
    return cudaFree(on_device) != cudaSuccess;
}
`;

const title_of = (root, page) => fs.readFileSync(path.join(root, page), 'utf8').match(/^# (.*)/m)[1];

/** All programs of the repository `root`, each { id, title, page, main, files, shown, defines, variants, sizes, regions }.
 * `files`: path from the root -> text; `regions`: "path region", the name of shown code on a page, -> variant. */
export function programs(root) {
    const all = [];
    for (const name of fs.readdirSync(path.join(root, 'docs/primer')).sort()) {
        const file = `docs/primer/${name}`, text = fs.readFileSync(path.join(root, file), 'utf8');
        const regions = Object.fromEntries([...text.matchAll(/^\/\/\/ \[(.*)\]/gm)].map(([, region]) => [`${file} ${region}`, '']));
        all.push({ id: name.replace('.cu', ''), title: `The primer: ${name}`, page: 'docs/cuda-primer', main: file,
            files: { [file]: text }, shown: [file], defines: [], variants: [], sizes: [], regions });
    }
    for (const { step, shown, variants, sizes, regions = {} } of chapters) {
        const main = `${step}.cu`, sources = [`steps/${step}/${step}.cu`, 'docs/site/playground/step.cuh'];
        const files = { [main]: sources.map(file => `#include "${file}"\n`).join('') }, shown_regions = {};
        for (const file of sources) {
            files[file] = fs.readFileSync(path.join(root, file), 'utf8');
            sources_of(path.join(root, file), root, files);
        }
        for (const file of shown)
            for (const [, region] of files[`steps/${step}/${file}`].matchAll(/^\/\/\/ \[(.*)\]/gm))
                shown_regions[`steps/${step}/${file} ${region}`] = regions[region] ?? (variants.includes(region) ? region : variants[0]);
        all.push({ id: step, title: title_of(root, `steps/${step}/README.md`), page: `steps/${step}/index`, main, files,
            shown: shown.map(file => `steps/${step}/${file}`), defines: ['-DLADDER_F32'], variants, sizes, regions: shown_regions });
    }
    all.push({ id: 'empty', title: 'A short program of your own', page: '', main: 'mine.cu', files: { 'mine.cu': empty }, shown: ['mine.cu'],
        defines: [], variants: [], sizes: [], regions: {} });
    return all;
}

/** All exercises of the repository `root`, each { id, title, page, suffix }. */
export const exercises = root => fs.readdirSync(path.join(root, 'exercises')).filter(name => fs.existsSync(path.join(root, 'exercises', name, 'goals'))).sort()
    .map(id => ({ id, title: title_of(root, `exercises/${id}/README.md`), suffix: fs.existsSync(path.join(root, 'exercises', id, 'source.cu')) ? 'cu' : 'c',
        page: fs.readFileSync(path.join(root, 'exercises', id, 'README.md'), 'utf8').match(/\(\.\.\/\.\.\/(steps\/[^/]+)\//)?.[1] }));
