// SPDX-License-Identifier: MIT
// The picture of a line: the simulator draws it (simgpu/src/report/picture.cpp). Here it is placed in the page, and its cells are buttons.

/** Describes in words what a request is and costs. */
export function words_of(r) {
    const lanes = new Set(r.lanes.map(([lane]) => lane)).size, each = `${lanes} threads ${r.op} ${r.size} bytes each`;
    if (r.space === 'shared') return `${each}: ${r.passes} ${r.passes === 1 ? 'pass' : 'passes'} through ${r.banks} banks, where ${r.ideal} would do without conflicts.`;
    if (r.space === 'global') return `${each}: ${r.transactions} ${r.transactions === 1 ? 'transaction' : 'transactions'}, ${r.bytes} bytes moved.`;
    return `${each} through a texture.`;
}

/** What thread `thread` of the block, which is lane `lane`, touches. */
export function words_of_thread(r, thread, lane) {
    const mine = r.lanes.filter(([l]) => l === lane).map(l => l.at(-1));
    if (!mine.length) return `Thread ${thread} takes no part.`;
    return `Thread ${thread}: ${mine.map(offset => `bytes ${offset} to ${offset + r.size - 1}`).join(', ')}${r.space === 'shared' ? ` (bank ${Math.floor(mine[0] / 4) % r.banks})` : ''}.`;
}

const title_of = cell => cell.querySelector('title').textContent;
let pressed = null; // the title of the cell that was chosen last: the picture is drawn again then, and the focus stays there

/** Places the SVG `text` in `parent`. The words of thread `thread` of the captured warp are dark. One cell can be reached by Tab,
 * the others from it with the arrow keys; `choose` gets the place FILE:LINE, block (undefined: that of the warp) and thread of a
 * cell that is clicked, or on which Enter is pressed. */
export function place(parent, text, thread, choose) {
    const svg = document.importNode(new DOMParser().parseFromString(text, 'image/svg+xml').documentElement, true);
    const cells = [...svg.querySelectorAll('[data-line]')], at = cell => ['x', 'y'].map(name => +cell.querySelector('rect').getAttribute(name));
    svg.setAttribute('role', 'group');
    for (const cell of cells) {
        cell.setAttribute('role', 'button');
        cell.tabIndex = -1;
        if (!cell.dataset.block && cell.dataset.threads.split(' ').includes(`${thread}`)) cell.classList.add('mine');
    }
    const take = cell => {
        if (!cell) return;
        pressed = title_of(cell);
        choose(cell.dataset.line, cell.dataset.block, cell.dataset.threads.split(' ')[0]);
    };
    svg.onclick = event => take(event.target.closest('[data-line]'));
    svg.onkeydown = event => {
        const [right, down] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key] ?? [0, 0];
        if (event.key === 'Enter' || event.key === ' ') take(event.target);
        else if (!right && !down) return;
        event.preventDefault();
        const [x, y] = at(event.target), far = cell => { const [there, row] = at(cell), ahead = (there - x) * right + (row - y) * down; return ahead > 0 ? 1000 * Math.abs(row - y) + Math.abs(there - x) : Infinity; };
        const next = (right || down) && cells.reduce((best, cell) => far(cell) < far(best) ? cell : best, event.target);
        if (!next) return;
        event.target.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
    };
    const focused = parent.contains(document.activeElement) || document.activeElement === document.body;
    parent.replaceChildren(svg);
    const again = cells.find(cell => title_of(cell) === pressed), first = again ?? cells[0];
    if (first) first.tabIndex = 0;
    if (focused) again?.focus({ preventScroll: true });
}
