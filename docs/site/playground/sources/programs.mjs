// SPDX-License-Identifier: MIT
// The programs that the playground offers: the primer's, an empty one, and the chapters' kernels with step.cuh around
// them; then twenty mistakes and the launches that fail. The page, the buttons in the chapters and the test that compares counts all read this list.
import fs from 'node:fs';
import path from 'node:path';
import { sources_of } from '../../../../simgpu/web/sources.mjs';

// A chapter's step, the files that the reader sees, the variants, and the sizes: the first size is the default.
// `sources`: what the step is made of besides its main file. `more`: it needs more.cuh. `regions`: the variant that a
// chapter shows in a marked region, if it is neither the first nor named like the region; null: the region belongs to
// another chapter's program; two: the button compares them. `options`: further options of each run.
const more = true, [one_level, strassen, winograd] = ['12-strassen-one-level/kernels.cuh', '14-strassen-multilevel/strassen.cu', '15-winograd-multilevel/winograd.cu'];
const chapters = [
    { step: '06-gpu-naive', shown: ['06-gpu-naive.cu'], variants: ['coalesced', 'uncoalesced', 'memory'], sizes: [64, 32, 128] },
    { step: '07-gpu-streams', more, shown: ['07-gpu-streams.cu', ...['nv.cu', 'nv.cuh', 'texels.cuh', 'texels.cu'].map(name => `textures/${name}`), 'targets.cu',
        ...['bandwidth.cu', 'bandwidth.cuh', 'microbenchmarks.cu'].map(name => `measurements/${name}`)],
        sources: ['textures/nv.cu', 'textures/texels.cu', 'targets.cu', 'measurements/bandwidth.cu', 'measurements/microbenchmarks.cu'].map(name => `07-gpu-streams/${name}`),
        variants: ['single', 'multi', 'targets', 'bandwidth', 'microbenchmarks'], sizes: [64, 32, 128],
        regions: { passes: 'multi', keep: 'bandwidth', census: 'bandwidth', fetches: 'bandwidth', 'multiply-adds': 'microbenchmarks', walks: 'microbenchmarks' } },
    { step: '08-gpu-shared', shown: ['tiles.cuh', '08-gpu-shared.cu'], sizes: [64, 32, 128],
        variants: ['tile16', 'tile16-at', 'tile16-bt', 'tile16-at-bt', 'tile16-at-bt-padded', 'tile32', 'document'],
        regions: { layouts: ['tile16-at-bt', 'tile16-at'] } },
    { step: '09-gpu-volkov', shown: ['09-gpu-volkov.cu'], variants: ['volkov'], sizes: [64, 128] },
    { step: '10-gpu8', shown: ['gpu8.cuh', '10-gpu8.cu'], variants: ['gpu8', 'verbatim'], sizes: [128, 256] },
    { step: '11-strassen-over-cublas', shown: ['11-strassen-over-cublas.cu'], more, variants: ['document', 'no-copies'], sizes: [64, 128, 256],
        regions: { 'no copies': 'no-copies' } },
    { step: '12-strassen-one-level', shown: ['one-level.cuh', 'kernels.cuh'], variants: ['strassen'], sizes: [256],
        regions: { 'store three': null } },
    { step: '13-winograd-one-level', shown: ['figure13.cuh', one_level], variants: ['winograd'], sizes: [256] },
    // One level without fused sums: that is what Figures 16 and 23 say of each level but the last.
    { step: '14-strassen-multilevel', shown: ['strassen.cu', one_level], more, sources: [strassen],
        variants: ['strassen'], sizes: [256], options: ['--fused', '0'] },
    { step: '15-winograd-multilevel', shown: ['winograd.cu', one_level], more, sources: [winograd, strassen],
        variants: ['winograd'], sizes: [256], options: ['--fused', '0'] },
    { step: '16-texture', shown: ['texture.cuh', '16-texture.cu', one_level], sources: [strassen, winograd],
        variants: ['tstrassen', 'twinograd', 'twinograd-b', 'twinograd-ab', 'strassen', 'winograd'], sizes: [256] },
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

const regions_of = text => [...new Set([...text.matchAll(/^ *\/\/\/ \[(.*)\]/gm)].map(([, region]) => region))];

/** All programs of the repository `root`, each { id, title, page, main, files, shown, defines, variants, sizes, options, regions,
 * mistaken, from }. A program without sizes takes its variant as its argument.
 * `files`: path from the root -> text; `regions`: "path region", the name of shown code on a page, -> variant. */
export function programs(root) {
    const all = [];
    const add_whole = (id, title, page, file) => {
        const text = fs.readFileSync(path.join(root, file), 'utf8'), regions = Object.fromEntries(regions_of(text).map(region => [`${file} ${region}`, '']));
        all.push({ id, title, page, main: file, files: { [file]: text, ...sources_of(path.join(root, file), root) }, shown: [file], defines: [], variants: [], sizes: [],
            options: [], regions });
    };
    for (const name of fs.readdirSync(path.join(root, 'docs/primer')).sort())
        add_whole(name.replace('.cu', ''), `The primer: ${name}`, 'docs/cuda-primer', `docs/primer/${name}`);
    for (const { step, shown: names, sources: others = [], more, variants, sizes, regions = {}, options = [] } of chapters) {
        const main = `${step}.cu`, own = ['step.cuh', 'more.cuh'].map(name => `docs/site/playground/sources/${name}`);
        const sources = [...more ? [own[1]] : [], ...[`${step}/${step}.cu`, ...others].map(name => `steps/${name}`), own[0]];
        const shown = names.map(name => `steps/${/^\d\d-.*\//.test(name) ? name : `${step}/${name}`}`);
        const files = { [main]: sources.map(file => `#include "${file}"\n`).join('') }, shown_regions = {};
        for (const file of sources) {
            files[file] = fs.readFileSync(path.join(root, file), 'utf8');
            sources_of(path.join(root, file), root, files);
        }
        for (const file of shown)
            for (const region of regions_of(files[file]))
                if (regions[region] !== null) shown_regions[`${file} ${region}`] = regions[region] ?? (variants.includes(region) ? region : variants[0]);
        all.push({ id: step, title: title_of(root, `steps/${step}/README.md`), page: `steps/${step}/index`, main, files,
            shown, defines: ['-DLADDER_F32'], variants, sizes, options, regions: shown_regions });
        if (fs.existsSync(path.join(root, `steps/${step}/alone.cu`)))
            add_whole(`${step}-alone`, `${title_of(root, `steps/${step}/README.md`)}, a program of one file`, `steps/${step}/index`, `steps/${step}/alone.cu`);
    }
    const corpus = fs.readdirSync(path.join(root, 'simgpu/corpus')).filter(name => name.endsWith('.txt'))
        .map(name => fs.readFileSync(path.join(root, 'simgpu/corpus', name), 'utf8')).join('').split(/^==== /m);
    for (const [, name] of fs.readFileSync(path.join(root, 'simgpu/docs/gallery.md'), 'utf8').matchAll(/^## (\w+)$/gm)) {
        const main = `${name}.cu`, text = corpus.find(entry => entry.startsWith(`${main}\n`)).slice(main.length + 1);
        all.push({ id: name, title: text.match(/^\/\/ (.*)/)[1], page: 'simgpu/docs/gallery', from: 'the page of mistakes', mistaken: true, main, files: { [main]: text },
            shown: [main], defines: [], variants: [], sizes: [], options: [], regions: {} });
    }
    const launches = 'docs/launch-errors.cu', text = fs.readFileSync(path.join(root, launches), 'utf8');
    all.push({ id: 'launch-errors', title: 'Launches that fail', page: 'docs/launch-errors', from: 'the page of launch errors', mistaken: true, main: launches,
        files: { [launches]: text }, shown: [launches], defines: [], sizes: [], options: [], regions: {},
        // Not `registers`, whose number only nvcc knows, and not `address`: 2^38 does not fit into the 32 bits of an address here.
        variants: [...text.match(/names\[\] = \{(.*?)\}/s)[1].matchAll(/"(\w+)"/g)].map(([, name]) => name).filter(name => name !== 'registers' && name !== 'address') });
    all.push({ id: 'empty', title: 'A short program of your own', page: '', main: 'mine.cu', files: { 'mine.cu': empty }, shown: ['mine.cu'],
        defines: [], variants: [], sizes: [], options: [], regions: {} });
    return all;
}

/** All exercises of the repository `root`, each { id, title, page, suffix, timed }: timed, if a time is among its goals. */
export const exercises = root => fs.readdirSync(path.join(root, 'exercises')).filter(name => fs.existsSync(path.join(root, 'exercises', name, 'README.md'))).sort()
    .map(id => [id, fs.existsSync(path.join(root, 'exercises', id, 'source.cu')) ? 'cu' : 'c'])
    .map(([id, suffix]) => ({ id, suffix, title: title_of(root, `exercises/${id}/README.md`),
        timed: /^at-most ms_/m.test(fs.readFileSync(path.join(root, 'exercises', id, 'check.md'), 'utf8')),
        page: fs.readFileSync(path.join(root, 'exercises', id, 'README.md'), 'utf8').match(/\(\.\.\/\.\.\/(steps\/[^/]+)\//)?.[1].concat('/index') }));
