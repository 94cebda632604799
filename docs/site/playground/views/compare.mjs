// SPDX-License-Identifier: MIT
// Two runs on the same input, as ./ladder sim --compare puts them in one table: here by line, with the differences marked.
const counts = ['requests', 'accesses', 'transactions', 'bytes', 'useful', 'passes', 'ideal'];

/** The rows of the table, each { file, line, op, text, sums: [of the one run, of the other] }. Each run is { sites, files }. A line of
 * a file that both have is one row; lines of different files are one row if they have the same text. */
export function rows_of(runs) {
    const rows = new Map();
    runs.forEach(({ sites, files }, i) => {
        const alike = new Map(); // operation and text -> the lines that have them
        for (const s of [...sites].sort((a, b) => a.line - b.line)) {
            const text = files[s.file]?.split('\n')[s.line - 1]?.trim() ?? '', place = `${s.file}:${s.line}:${s.op}`;
            const places = (alike.get(s.op + text) ?? new Set()).add(place);
            alike.set(s.op + text, places);
            const key = runs[0].files[s.file] === runs[1].files[s.file] ? place : `${s.op} ${text} ${[...places].indexOf(place)}`;
            const row = rows.get(key) ?? { ...s, text, sums: [] };
            row.sums[i] ??= Object.fromEntries(counts.map(name => [name, 0]));
            for (const name of counts) row.sums[i][name] += s[name];
            rows.set(key, row);
        }
    });
    return [...rows.values()].sort((a, b) => a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line);
}

export const differ = ({ sums: [a, b] }) => !a || !b || counts.some(name => a[name] !== b[name]);
const unit_of = op => op.startsWith('shared') ? 'passes' : op === 'texture' ? 'accesses' : 'transactions';
const shown = (op, s) => !s ? '–' : `${s[unit_of(op)].toLocaleString('en')} ${unit_of(op)}` +
    (op === 'texture' ? '' : op.startsWith('shared') ? ` (conflict ${(s.passes / s.ideal).toFixed(2)}x)` : ` (${(100 * s.useful / s.bytes).toFixed(1)}% useful)`);
const times = (a, b) => (a / b).toFixed(2);

/** In words, with the names of the two: as the native program says it. */
export function words_of_runs(rows, [one, other]) {
    const [a, b] = [0, 1].map(i => Object.fromEntries(['transactions', 'passes'].map(name => [name, rows.reduce((sum, { sums }) => sum + (sums[i]?.[name] ?? 0), 0)])));
    return (b.transactions ? `${one} makes ${times(a.transactions, b.transactions)} times the transactions of ${other}. ` : '') +
        (a.passes && b.passes ? `Its accesses to shared memory take ${times(a.passes, b.passes)} times as many passes. ` : '');
}

/** Fills the table. `go` gets the file and line of a row whose button is pressed. */
export function fill(table, rows, names, go) {
    const add = (parent, kind, text, more = {}) => parent.appendChild(Object.assign(document.createElement(kind), { textContent: text, ...more }));
    table.replaceChildren();
    const head = add(add(table, 'thead', ''), 'tr', '');
    for (const text of ['line', ...names, 'ratio']) add(head, 'th', text, { scope: 'col' });
    const body = add(table, 'tbody', '');
    for (const row_of of rows) {
        const { file, line, op, text, sums: [a, b] } = row_of, row = add(body, 'tr', '', { className: differ(row_of) ? 'differ' : '' });
        const place = add(row, 'th', '', { scope: 'row' });
        add(place, 'button', `${file.split('/').pop()}:${line}`, { type: 'button', onclick: () => go(file, line) });
        add(place, 'span', ` ${op} `);
        add(place, 'code', text);
        for (const sum of [a, b]) add(row, 'td', shown(op, sum));
        add(row, 'td', !differ(row_of) ? 'same' : !a || !b ? 'only one' : times(a[unit_of(op)], b[unit_of(op)]));
    }
}
