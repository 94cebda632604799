// SPDX-License-Identifier: MIT
// Exercises in the page: the lab's output, the reader's code, and the reader's progress. The last two are kept in the
// browser, in the lab's own formats, and can be exchanged with the folder lab/ as files.
import { make_lab } from './lab.mjs';
import { wasi } from '../../../simgpu/web/surroundings.mjs';
import './fetch.mjs';

const kept = 'ladder-lab/', prefix = name => `${kept}${name}`;
let begun = null;

/** The lab's program and its files, fetched when they are first needed. */
const everything = () => begun ??= (async () => {
    const [module, given] = await Promise.all([WebAssembly.compileStreaming(fetch(new URL('lab.wasm', import.meta.url))),
        fetch(new URL('exercises.json', import.meta.url)).then(response => response.json())]);
    return { lab: make_lab(module, given, wasi), given };
})().catch(e => { begun = null; throw e; });

/** The reader's files below lab/: "progress", and "EXERCISE/exercise.cu" with the reader's code. */
function files() {
    const all = {};
    for (let i = 0; i < localStorage.length; i++)
        if (localStorage.key(i).startsWith(kept)) all[localStorage.key(i).slice(kept.length)] = localStorage.getItem(localStorage.key(i));
    return all;
}
export const file_of = ({ id, suffix }) => `${id}/exercise.${suffix}`;
/** Keeps the reader's code; undefined: none. */
export const remember_work = (exercise, text) => text === undefined ? localStorage.removeItem(prefix(file_of(exercise))) : localStorage.setItem(prefix(file_of(exercise)), text);

/** Runs a command of the lab and keeps the progress that it notes. */
async function command(args, ...more) {
    const { lab } = await everything(), done = await lab.command(args, files(), ...more);
    if (done.progress) localStorage.setItem(prefix('progress'), done.progress);
    return done;
}

/** { stub, work, task }: the code to begin with, the reader's code so far, the README. */
export async function exercise_texts(exercise) {
    const { given } = await everything(), stub = (await command(['stub', exercise.id])).out;
    return { stub, work: localStorage.getItem(prefix(file_of(exercise))) ?? stub, task: given.exercises[`exercises/${exercise.id}/README.md`] };
}

/** new, started or done, by exercise name. */
export async function states() {
    const { out } = await command(['states']);
    return Object.fromEntries(out.trim().split('\n').map(line => line.split('\t')).map(([id, state]) => [id, state]));
}

async function start(exercise) {
    if ((await states())[exercise.id] === 'new') await command(['start', exercise.id]);
}
export async function hint(exercise) { await start(exercise); return (await command(['hint', exercise.id])).out; }
export async function solution(exercise) { await start(exercise); return (await command(['solution', exercise.id])).out; }

/** Checks the reader's code. `carry_out` runs the lab's programs; `tell` gets the lab's output so far. */
export async function check(exercise, text, carry_out, tell) {
    remember_work(exercise, text);
    await start(exercise);
    const { given } = await everything(), seed = `${Math.floor(Math.random() * 1e6)}`;
    return command(['check', exercise.id, seed], (argv, read) => carry_out(argv, read(`tmp/lab/compile/exercise.${exercise.suffix}`),
        { ...given.headers, [`exercise.${exercise.suffix}`]: text }), tell, ['LADDER_LAB_SECONDS=60']);
}

/** The progress as the lab's own file, and back. Lines that are there already are not added again. */
export const progress = () => localStorage.getItem(prefix('progress')) ?? '';
export function add_progress(text) {
    const lines = new Set([...progress().split('\n'), ...text.split(/\r?\n/)].filter(line => /^\d{4}-\d\d-\d\dT[\d:]{8}Z\t[\w-]+\t\w+/.test(line)));
    localStorage.setItem(prefix('progress'), [...lines].sort((a, b) => Number(a.slice(0, 20) > b.slice(0, 20)) - Number(a.slice(0, 20) < b.slice(0, 20))).map(line => `${line}\n`).join(''));
    return lines.size;
}

/** A README as elements: headings, paragraphs, lists, **bold**, `code`; links become plain text. */
export function shown(markdown) {
    const result = document.createDocumentFragment();
    const inline = (parent, text) => {
        for (const part of text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').split(/(\*\*[^*]+\*\*|`[^`]+`)/)) {
            const name = part.startsWith('**') ? 'strong' : part.startsWith('`') ? 'code' : null;
            parent.append(name ? Object.assign(document.createElement(name), { textContent: part.replace(/^(\*\*|`)|(\*\*|`)$/g, '') }) : part);
        }
        return parent;
    };
    for (const block of markdown.trim().split(/\n\n+/)) {
        const heading = block.match(/^#+ (.*)/), items = block.split(/\n(?=\d+\. |[-*] )/);
        if (heading) result.append(inline(document.createElement('h2'), heading[1]));
        else if (/^(\d+\.|[-*]) /.test(block)) {
            const list = document.createElement(/^\d/.test(block) ? 'ol' : 'ul');
            list.append(...items.map(item => inline(document.createElement('li'), item.replace(/^(\d+\.|[-*]) /, '').replace(/\n/g, ' '))));
            result.append(list);
        } else result.append(inline(document.createElement('p'), block.replace(/\n/g, ' ')));
    }
    return result;
}
