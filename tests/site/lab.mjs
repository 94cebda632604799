// SPDX-License-Identifier: MIT
// node lab.mjs ROOT WEB LAB EXERCISE[:ANSWERS]...: the page's lab says of an exercise what ./ladder lab check says. The
// solution passes, and each of its first ANSWERS wrong answers (3) fails with the line "not yet" that the native LAB has for
// it, and that check.md expects. `all` is every exercise. WEB is where tools/scripts/docs made the engine.
// Exit status: 0 the same, 1 not, 77 there is no engine.
import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const [root, web, native, ...wanted] = process.argv.slice(2).map((word, i) => i < 3 ? path.resolve(word) : word);
const playground = path.join(web, 'docs/site/playground'), engine = path.join(web, 'simgpu/web');
if (!fs.existsSync(path.join(playground, 'build-lab.mjs')) || !fs.existsSync(path.join(engine, 'out/headers.json'))) {
    console.log(`skipped: no engine in ${web}; ./ladder docs makes it where node and npm are`);
    process.exit(77);
}
const [{ build_lab }, { make_lab, make_compiler, run_exercise }, tools, { wasi_of_exercise }] = await Promise.all(
    [path.join(playground, 'build-lab.mjs'), path.join(playground, 'lab.mjs'), path.join(engine, 'tools.mjs'), path.join(engine, 'surroundings.mjs')].map(file => import(file)));
const made = await build_lab(root, engine, tools), given = JSON.parse(made['exercises.json'].toString()), out = name => fs.readFileSync(path.join(engine, 'out', name));
const runtime = await WebAssembly.compile(out('runtime.wasm'));
const with_tools = { ...tools, headers: JSON.parse(out('headers.json')), rewrite: tools.rewriter(await WebAssembly.compile(out('rewrite.wasm'))) };
const lab = make_lab(await WebAssembly.compile(made['lab.wasm']), given, tools.wasi);
const compiler = make_compiler(with_tools, given.headers, { c: made['lab_cpu.o'], cu: made['lab_gpu.o'] });

async function check(exercise, file, content) {
    const carry_out = async (argv, text) => {
        if (!argv[0].endsWith('/program')) return compiler.carry_out(argv, text);
        const { bytes, sites } = compiler.program;
        const answer = await run_exercise(runtime, await WebAssembly.compile(bytes), { sites, sources: { ...given.headers, [file]: content }, argv }, wasi_of_exercise);
        if (answer.crash) console.log(`  crashed: ${answer.crash}`);
        return answer;
    };
    return lab.command(['check', exercise, '1'], { [`${exercise}/${file}`]: content }, carry_out, () => {}, ['LADDER_LAB_SECONDS=60']);
}
/** The answers of check.md, made of the solution by tests/exercises/answers.py, which reads them for the gate, too. */
function answers(exercise, solution) {
    const made = fs.mkdtempSync(path.join(scratch, 'answers-')), file = path.join(made, 'solution');
    fs.writeFileSync(file, solution);
    const names = execFileSync('python3', [`${root}/tests/exercises/answers.py`, 'make', `${root}/exercises/${exercise}/check.md`, file, made], { encoding: 'utf8' });
    return names.trim().split('\n').map(line => line.split('\t')).map(([name, expect]) =>
        ({ name, expect, content: fs.readFileSync(path.join(made, `${name}.made`), 'utf8') }));
}
/** Its line "not yet", without the times of a goal in time and the number of questions by chance. */
const not_yet = said => said.match(/^ *not yet: .*$/m)?.[0].trim().replace(/[\d.e+]+ ms; the goal is at most [\d.e+]+/, 'some ms; the goal is less').replace(/but \d+ (wrong|right) /, 'but some $1 ') ?? (/^passed$/m.test(said) ? 'passed' : said);

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'ladder-lab-'));
let wrong = 0;
const every = Object.keys(given.exercises).flatMap(file => file.match(/^exercises\/([^/]+)\/source\.cu?$/)?.[1] ?? []);
for (const word of wanted.flatMap(w => w.startsWith('all') ? every.map(e => e + w.slice(3)) : [w])) {
    const [exercise, most = 3] = word.split(':'), file = `exercise.${given.exercises[`exercises/${exercise}/source.cu`] ? 'cu' : 'c'}`, begun = performance.now();
    const solution = (await lab.command(['solution', exercise], {})).out;
    for (const { name, expect, content } of [{ name: 'solution', expect: '^passed$', content: solution }, ...answers(exercise, solution).slice(0, most)]) {
        const at = path.join(scratch, file);
        fs.writeFileSync(at, content);
        const environment = { ...process.env, LADDER_LAB_BUILT: 'yes', LADDER_LAB: scratch, OMP_WAIT_POLICY: 'passive' };
        const checking = new Promise(done => execFile(native, ['check', exercise, at, '--seed', '1', '--no-gpu'], { env: environment },
            (_, out, err) => done(out + err))); // while WebAssembly is compiled here
        const here = await check(exercise, file, content), said = here.out + here.err, there = await checking;
        const expected = new RegExp(expect.replaceAll('[:space:]', '\\s'), 'm').test(said.replace(/\n {10,}/g, ' ')), same = not_yet(said) === not_yet(there);
        wrong += !(expected && same);
        console.log(`${expected && same ? 'same ' : 'WRONG'} ${exercise} ${name}: ${not_yet(said)}`);
        if (!expected) console.log(`expected: ${expect}\n${said}`);
        if (!same) console.log(`natively: ${there}`);
    }
    console.log(`${exercise}: ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}
fs.rmSync(scratch, { recursive: true });
process.exit(wrong ? 1 : 0);
