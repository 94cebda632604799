// SPDX-License-Identifier: MIT
// The picture of one request: which words the threads of a warp (a half-warp by the rules of 2008) touch.
const word = 4, names = { svg: 'http://www.w3.org/2000/svg' };

function element(parent, kind, attributes, text = '') {
    const made = document.createElementNS(names.svg, kind);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.textContent = text;
    parent.append(made);
    return made;
}

/** Describes in words what the request is and costs. */
export function words_of(r) {
    const lanes = new Set(r.lanes.map(([lane]) => lane)).size, each = `${lanes} threads ${r.op} ${r.size} bytes each`;
    if (r.space === 'shared') return `${each}: ${r.passes} ${r.passes === 1 ? 'pass' : 'passes'} through ${r.banks} banks, where ${r.ideal} would do without conflicts.`;
    if (r.space === 'global') return `${each}: ${r.transactions} ${r.transactions === 1 ? 'transaction' : 'transactions'}, ${r.bytes} bytes moved.`;
    return `${each} through a texture.`;
}

const places_of = r => r.lanes.map(l => l.length === 3 ? l : [l[0], 0, l[1]]); // lane, allocation, offset in bytes

/** What thread `thread` of the block, which is lane `lane`, touches. */
export function words_of_thread(r, thread, lane) {
    const mine = places_of(r).filter(([l]) => l === lane).map(([,, offset]) => offset);
    if (!mine.length) return `Thread ${thread} takes no part.`;
    return `Thread ${thread}: ${mine.map(offset => `bytes ${offset} to ${offset + r.size - 1}`).join(', ')}${r.space === 'shared' ? ` (bank ${Math.floor(mine[0] / word) % r.banks})` : ''}.`;
}

/** An SVG of it. A row is a segment of 128 bytes, or all banks once; a cell is a word, with the lanes that touch it; a frame
 * is a transaction. The words of lane `chosen` are dark. */
export function draw(r, chosen) {
    const svg = document.createElementNS(names.svg, 'svg'), cell = 22, left = 96, shared = r.space === 'shared';
    const across = shared ? r.banks : 32, cells = new Map();
    for (const [lane, allocation, offset] of places_of(r))
        for (let at = Math.floor(offset / word); at * word < offset + r.size; at++) {
            const key = `${allocation} ${at}`;
            if (!cells.has(key)) cells.set(key, { allocation, at, lanes: [] });
            cells.get(key).lanes.push(lane);
        }
    const row_of = at => Math.floor(at / across), rows = [...new Set([...cells.values()].map(c => row_of(c.at)))].sort((a, b) => a - b).slice(0, 40);
    const height = (rows.length + 1) * (cell + 4) + 8, width = left + across * cell + 8;
    for (const [name, value] of Object.entries({ viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'font-family': 'sans-serif', 'font-size': 10 }))
        svg.setAttribute(name, value);
    element(svg, 'title', {}, words_of(r));
    for (let i = 0; i < across; i += 4) element(svg, 'text', { x: left + i * cell + 4, y: 12, fill: '#555' }, shared ? `bank ${i}` : `+${i * word}`);
    rows.forEach((row, number) => {
        const y = (number + 1) * (cell + 4) - 4;
        element(svg, 'text', { x: 4, y: y + 15, fill: '#555' }, shared ? `word ${row * across}` : `byte ${row * across * word}`);
        for (let i = 0; i < across; i++) element(svg, 'rect', { x: left + i * cell, y, width: cell - 1, height: cell - 1, fill: '#f2f4f6' });
        for (const { at, lanes } of cells.values()) {
            if (row_of(at) !== row) continue;
            const x = left + (at % across) * cell, some = lanes.length > 1 ? `${Math.min(...lanes)}…` : `${lanes[0]}`;
            const mine = lanes.includes(chosen);
            element(svg, 'rect', { x, y, width: cell - 1, height: cell - 1, fill: mine ? '#17425f' : lanes.length > 1 ? '#9fcbe6' : '#cfe5f2' });
            element(element(svg, 'text', { x: x + cell / 2, y: y + 15, 'text-anchor': 'middle', fill: mine ? '#ffffff' : '#10293b' }, some), 'title', {}, `lanes ${lanes.join(', ')}`);
        }
        for (const [offset, bytes] of r.segments ?? []) {
            const at = offset / word;
            if (row_of(at) === row)
                element(svg, 'rect', { x: left + (at % across) * cell - 1, y: y - 1, width: bytes / word * cell, height: cell + 1, fill: 'none', stroke: '#d55e00', 'stroke-width': 2 });
        }
    });
    return svg;
}
