#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""browser.py SITE [--some | PAGE...]: opens a built site in headless Chromium, every page (or every eighth and one of each kind,
or these) 1280, 768 and 390 pixels wide. Of the headers' pages and of the sources, which are made by one tool in one way, it opens some of each kind.

Wrong is: an error on the console, a picture or script that does not come, a page wider than the window, a
formula that was not set, a name in a table that is torn apart, a player that does not step to its end, a search
that has another chapter first, what axe-core finds, light or dark, a picture whose letters are small on a phone or whose words
are cut, a page that is not dark where another was made so, and what a reader misses on the first page, among exercises and programs, at an
address that does not exist, and on paper.
Exit status: 0 right, 1 wrong, 77 there is no Chromium or no site."""
import concurrent.futures
import functools
import http.server
import json
import os
import queue
import re
import sys
import threading
import time
import zlib

from browsers import chromium

WIDTHS = (1280, 768, 390)
LEAST = 11  # pixels: the smallest letters of a picture on a phone
# What a student looks for, and the number of the chapter that must be first.
SEARCHES = {'bank conflict': '08', 'histogram': 'simgpu/docs/corpus', 'coalesced': '06', 'Strassen': '04', 'Winograd': '05', 'cuBLAS': '11', 'coalescing': '06', 'shared memory': '08',
            'tiling': '08', 'matmul': '01', 'deadlock': '08', 'vectorize': '10', 'tensor cores': '21', 'texture': '16', 'occupancy': '10', 'register blocking': '09', 'crossover': '04', 'warp': '06', 'workspace': '01',
            'playground': 'playground/index.html', 'Lane': '', 'GFLOP/s': ''}

DEFINED = ('coalescing', 'occupancy', 'warp', 'crossover', 'Lane', 'GFLOP/s')  # words for which the glossary must come, too

# Shows all of a page as if it were in the window: fetches pictures and lays out parts that are far from it, too.
WHOLE = '''(() => {
    const style = document.createElement("style");
    style.textContent = "* { content-visibility: visible !important } .md-content__inner > :is(p, ul, ol, figure, details, .highlight, .tex) { contain: layout style paint }";
    document.head.append(style);
    document.querySelectorAll("img[loading]").forEach(i => { i.loading = "eager"; });
})()'''

STATE = '''(() => {
    dispatchEvent(new Event("resize")); // a page that is not painted learns of its size late
    const wide = document.documentElement.scrollWidth - innerWidth, far = [];
    if (wide > 0)
        document.querySelectorAll("body *").forEach(e => {
            if (far.length < 3 && e.getBoundingClientRect().right > innerWidth + 1) far.push(e.tagName + "." + e.className);
        });
    // What is wider than its place and neither wraps nor scrolls is cut, and so is an element outside of the window. What scrolls
    // shows that by its class, and can be scrolled by keyboard.
    const cut = [], name = e => e.tagName.toLowerCase() + (e.className.baseVal ?? e.className ? "." + (e.className.baseVal ?? e.className) : "") + " " + e.textContent.trim().slice(0, 40);
    const scroller = e => { for (; e && e !== document.body; e = e.parentElement) if (/auto|scroll/.test(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth + 1) return e; return null; };
    document.querySelectorAll(".md-content *").forEach(e => {
        if (cut.length > 2 || e.closest("svg, .katex, .headerlink, thead, script, select, .CodeMirror, .cm-editor")) return;
        const box = e.getBoundingClientRect(), style = getComputedStyle(e);
        if (!box.width || style.visibility === "hidden") return;
        if ((/hidden|clip/.test(style.overflowX) || /paint/.test(style.contain) && style.overflowX === "visible") && e.scrollWidth > e.clientWidth + 2 && e.clientWidth > 2) cut.push("cut: " + name(e));
        else if (box.right > innerWidth + 1 && !scroller(e)) cut.push("outside: " + name(e));
        else if (/auto|scroll/.test(style.overflowX) && e.scrollWidth > e.clientWidth + 2 && !e.classList.contains("scrolls")) cut.push("scrolls without a sign: " + name(e));
    });
    // Nor does it choose among a picture's drawings again, before it is told of them anew.
    const other = [...document.querySelectorAll("picture")].filter(p => matchMedia(p.children[0].media).matches !== p.children[1].currentSrc.endsWith(p.children[0].srcset.replace(/^(\\.\\.\\/)+/, "/")));
    other.forEach(p => { p.children[0].srcset += ""; });
    return {
        cut,
        drawn: [...document.querySelectorAll("figure.picture img")].filter(i => i.getClientRects().length)
            .map(i => [i.currentSrc, i.getBoundingClientRect().width, i.getBoundingClientRect().right]),
        labels: [...document.querySelectorAll("table.cards, .phone table[data-cards]")].filter(t => [...t.tBodies[0].rows].some(row =>
            [...row.cells].some((cell, i) => cell.childNodes.length > 1 || (cell.dataset.label === "") !== (t.tHead.rows[0].cells[i].textContent.trim() === "")))).length,
        unreached: [...document.querySelectorAll("pre > code, .md-typeset__scrollwrap, div.tex")].filter(e => e.scrollWidth > e.clientWidth + 1 && e.getClientRects().length && e.tabIndex < 0 && !e.querySelector("a, button")).length,
        wide, far,
        pictures: [...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src),
        waiting: other.length > 0 || !!window.ladder_is_fitting || [...document.images].some(i => !i.complete) || !!document.querySelector(".tex[data-tex]"),
        formulas: document.querySelectorAll(".tex[data-tex], .katex-error").length,
        players: document.querySelectorAll("figure[data-player]").length,
        playing: document.querySelectorAll("figure.playing .player svg").length,
        text: document.body.innerText.length
    };
})()'''

# Words of a picture that reach beyond its edge, or that of their part of it, and those on which something is drawn later; in the
# widest of the fonts that a system may show it in.
WORDS = '''(() => {
    const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
    style.textContent = "svg, g, text:not([font-family=monospace]) { font-family: DejaVu Sans, Verdana, sans-serif !important }";
    document.documentElement.append(style);
    const window_of = svg => { // of a drawing within a drawing its box would be that of what it shows
        if (!svg.ownerSVGElement)
            return svg.getBoundingClientRect();
        const at = svg.getScreenCTM(), left = at.e, top = at.f;
        return { left, top, right: left + at.a * svg.width.baseVal.value, bottom: top + at.d * svg.height.baseVal.value };
    };
    const wrong = new Set(), all = [...document.querySelectorAll("text, rect")], boxes = all.map(e => e.getBoundingClientRect());
    all.forEach((text, i) => {
        if (text.tagName !== "text" || !text.textContent.trim()) return;
        const box = boxes[i], edge = window_of(text.nearestViewportElement);
        if (box.left < edge.left - 2 || box.right > edge.right + 2 || box.top < edge.top - 3 || box.bottom > edge.bottom + 3)
            wrong.add("cut: " + text.textContent);
        for (let j = i + 1; j < all.length; j++) {
            if (all[j].tagName !== "rect" || all[j].getAttribute("fill") === "none")
                continue;
            const seen = window_of(all[j].nearestViewportElement);
            if (Math.min(box.right, boxes[j].right, seen.right) - Math.max(box.left, boxes[j].left, seen.left) > 1.5 &&
                    Math.min(box.bottom, boxes[j].bottom, seen.bottom) - Math.max(box.top, boxes[j].top, seen.top) > 6)
                wrong.add("covered: " + text.textContent);
        }
    });
    return [...wrong].slice(0, 4);
})()'''

# Words of code in a table that begin on one line and end on another, though they are not longer than a line.
TORN = '''(() => {
    const torn = new Set(), range = document.createRange();
    document.querySelectorAll("td code, th code").forEach(code => {
        const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
        while (walker.nextNode())
            for (const word of walker.currentNode.data.matchAll(/[A-Za-z0-9_.]+/g)) {
                range.setStart(walker.currentNode, word.index);
                range.setEnd(walker.currentNode, word.index + word[0].length);
                const parts = [...range.getClientRects()];
                if (new Set(parts.map(r => r.top)).size > 1 && parts.reduce((sum, r) => sum + r.width, 0) < code.closest("td, th").clientWidth - 8) torn.add(word[0]);
            }
    });
    return [...torn].slice(0, 3);
})()'''

PLAY = '''(() => {
    const wrong = [];
    let steps = 0;
    document.querySelectorAll(".player").forEach(player => {
        const selects = [...player.querySelectorAll("select")], find = name => player.querySelector("button." + name);
        const choose = rest => {
            if (rest.length) {
                [...rest[0].options].forEach(option => {
                    rest[0].value = option.value;
                    rest[0].dispatchEvent(new Event("change"));
                    choose(rest.slice(1));
                });
                return;
            }
            const label = selects.map(s => s.value).join(", ");
            const all = () => player.querySelector(".stage").innerHTML + player.querySelector(".says").textContent;
            const slider = player.querySelector("input"), last_steps = +slider.max - 6;
            slider.value = 0;
            slider.dispatchEvent(new Event("input"));
            let same = 0, count = 0, before = all();
            for (; !find("step").disabled && count < 1000; count++) {
                if (count === 10 && last_steps > count) { // a long one: on to its last steps
                    slider.value = last_steps;
                    slider.dispatchEvent(new Event("input"));
                    before = all();
                }
                find("step").click();
                const after = all();
                if (after === before) same++;
                before = after;
            }
            steps += count;
            const [at, of] = player.querySelector(".count").textContent.split(" / ");
            if (at !== of || count < 4) wrong.push(label + ": ends at " + at + " of " + of);
            if (same) wrong.push(label + ": " + same + " steps change nothing");
            const end = player.querySelector(".stage").innerHTML;
            find("back").click();
            if (player.querySelector(".stage").innerHTML === end && count) wrong.push(label + ": back does nothing");
        };
        choose(selects);
    });
    return { wrong, steps };
})()'''

# What the player of a chapter says first: chapter 08's is about bank conflicts, and opens on one.
OPENS = {'steps/08-gpu-shared/index.html': ('bs[l * b_row', '16 passes')}
FIRST = '[document.querySelector(".player .says").textContent, document.querySelector(".player .stage").textContent]'

PLAYING = '''new Promise(done => {
    const player = document.querySelector(".player"), play = player.querySelector(".play"), count = () => player.querySelector(".count").textContent;
    player.querySelector("input").value = 0;
    player.querySelector("input").dispatchEvent(new Event("input"));
    const before = count(), end = Date.now() + 5000, look = () => {
        const moved = count() !== before;
        if (!moved && Date.now() < end) return setTimeout(look, 50);
        play.click();
        done(moved);
    };
    play.click();
    look();
})'''

# What axe-core finds wrong, a line each: the rule, how often, and the first element. What all pages share, the list of all pages
# and the inside of formulas and icons, takes most of its time: that is looked at on the pages of AXE_ALL, in wide windows, too. The
# dark differs in its colours alone, which come from few rules: in it those pages are looked at, and one in four of the others.
AXE = '''axe.run(%s, { %s iframes: false, resultTypes: ["violations"] }).then(found =>
    found.violations.map(v => v.id + ", " + v.nodes.length + " times: " + v.nodes[0].html.replace(/\\s+/g, " ").slice(0, 120)))'''

# Types words into the search field, and waits until what it found for others before is gone.
SEARCH = '''new Promise(done => {
    const field = document.querySelector(".md-search__input"), first = () => document.querySelector(".md-search-result__link");
    const type = text => { field.value = text; field.dispatchEvent(new KeyboardEvent("keyup")); };
    const wait = (ready, then) => ready() ? then() : setTimeout(wait, 20, ready, then);
    type("");
    wait(() => !first(), () => { type(%s); done(true); });
})'''


# What a search shows: no HTML as text, no list of tags.
SHOWN = '''(() => {
    const wrong = [];
    document.querySelectorAll(".md-search-result__teaser").forEach(e => { if (/<\\/?(span|div|a|p|b|mark)\\b|On this page/.test(e.textContent)) wrong.push("what is no text is shown: " + e.textContent.slice(0, 80)); });
    if ([...document.querySelectorAll(".md-search-result .md-tag")].some(e => e.getClientRects().length)) wrong.push("tags are shown");
    const shown = document.querySelector(".md-search-result__link")?.getBoundingClientRect();
    if (shown && (!shown.width || shown.left < 0 || shown.right > innerWidth)) wrong.push("what is found is not in the window");
    return wrong.slice(0, 2);
})()'''

# The first page: its words, the editor with its button on the first screen, the plot; a number leads to a row that can be read.
UNTIL = 'const until = async ready => { for (let i = 0; i < 300 && !ready(); i++) await new Promise(done => setTimeout(done, 50)); return ready(); };'
GLOSSARY = '''(async () => {
    UNTIL
    return !!await until(() => document.querySelector(".md-search-result__link[href*='glossary.html'][href*='#term']"));
})()'''.replace('UNTIL', UNTIL)
FRONT = '''(async () => {
    const wrong = [], frame = document.querySelector(".try iframe"), lead = document.querySelector("p.lead").textContent;
    UNTIL
    if (frame) {
        if (lead !== "Write CUDA in this page: no GPU, nothing to install. Every memory transaction is counted; mistakes are named at their line.") wrong.push("the page begins with other words: " + lead);
        const inside = () => frame.contentDocument, seen = id => inside().getElementById(id).getClientRects().length > 0;
        await until(() => inside().documentElement.dataset.ready);
        if (!["run", "editor", "output"].every(seen)) wrong.push("the compact form lacks something");
        if (["share", "seed", "program"].some(seen)) wrong.push("the compact form has what the page has");
        if (inside().documentElement.scrollWidth > frame.clientWidth) wrong.push("the compact form is too wide");
        const bottom = frame.getBoundingClientRect().top + inside().querySelector(".cm-line:nth-child(8)").getBoundingClientRect().bottom;
        if (!(bottom <= innerHeight)) wrong.push("the editor is below the first screen: " + bottom);
    }
    const first = document.querySelector(".md-content figure.picture");
    if (!first || first.compareDocumentPosition(document.querySelector(".ladder")) !== 4) wrong.push("the plot is not before the ladder");
    if (first?.nextElementSibling.tagName !== "P") wrong.push("the plot has no sentence");
    const links = [...document.querySelectorAll(".md-content a[title]:not(.headerlink), .ladder a.row")];
    if (links.length < 30 || links.some(a => !a.href.includes("docs/numbers.html#"))) wrong.push("a number leads to no row");
    const rows = new DOMParser().parseFromString(await (await fetch("docs/numbers.html")).text(), "text/html");
    if (links.some(a => !rows.getElementById(a.hash.slice(1))?.closest("tr"))) wrong.push("a number's row is not there");
    return wrong;
})()'''.replace('UNTIL', UNTIL)
PROGRESS = '''(() => {
    const says = name => document.querySelector(`[data-exercise="${name}"]`).textContent, wrong = [];
    if (says("01-row-order") !== "✓ passed" || says("02-packed-block") !== "… begun" || says("06-first-kernel") !== "new") wrong.push("the progress is not shown");
    const rows = document.querySelectorAll("[data-exercise]").length;
    if (rows < 34 || document.querySelectorAll("td .do-it").length !== (PLAYGROUND ? rows : 0)) wrong.push("an exercise cannot be done in the page");
    if (!/^1 of \\d\\d passed/.test(document.getElementById("exercises_done").textContent)) wrong.push("nothing says how many are done");
    return wrong;
})()'''
CARDS = '''(async () => {
    const wrong = [], cards = [...document.querySelectorAll("a.card")], offers = await (await fetch("../playground/offers.json")).json();
    const launches = offers.programs.find(p => p.id === "launch-errors").variants.length;
    for (const [page, wanted] of [["../simgpu/docs/gallery.html", 20], ["launch-errors.html", launches]])
        if ((await (await fetch(page)).text()).split('class="do-it"').length - 1 !== wanted) wrong.push(`${page} does not lead to the playground ${wanted} times`);
    if (cards.length !== offers.programs.length - 1 + launches) wrong.push(`${cards.length} cards`);
    if (cards.filter(card => card.querySelector("img, code, span")).length < cards.length - 1) wrong.push("a card without a picture");
    if (cards.some(card => card.getBoundingClientRect().width < 150)) wrong.push("a card is too narrow");
    return wrong;
})()'''
FIGURES = '''(() => {
    const wrong = [], height = document.documentElement.scrollHeight;
    if (height > 12000) wrong.push(`the page is ${height} pixels long`);
    dispatchEvent(new Event("beforeprint"));
    const shown = [...document.querySelectorAll("details.item dd")].map(e => e.getBoundingClientRect());
    if (shown.length < 60 || shown.some(box => box.width < 200 || box.height < 10) || document.querySelector("details.item:not([open])")) wrong.push("on paper a figure's words are not there, or narrow");
    dispatchEvent(new Event("afterprint"));
    return wrong;
})()'''
LOST = '''(async () => {
    UNTIL
    const first = () => document.querySelector(".md-search-result__link");
    return await until(first) && first().href.includes("/steps/08-gpu-shared/") ? [] : ["a page that does not exist finds no other: " + document.querySelector(".md-search__input").value];
})()'''.replace('UNTIL', UNTIL)
# On paper all letters are dark, though the screen was; a listing's end is not alone on a page. In a narrow window the contents are in the page.
PAPER = '''(() => {
    const wrong = [], light = new Set();
    dispatchEvent(new Event("beforeprint"));
    document.querySelectorAll(".md-content :is(p, li, td, code, code span, figcaption)").forEach(e => {
        const [r, g, b] = getComputedStyle(e).color.match(/[\\d.]+/g).map(Number);
        if (e.getClientRects().length && 0.3 * r + 0.6 * g + 0.1 * b > 160) light.add(e.textContent.slice(0, 20));
    });
    if (light.size) wrong.push("on paper these are too light: " + [...light].slice(0, 4).join(" | "));
    if (getComputedStyle(document.querySelector("pre > code")).widows < 3) wrong.push("a listing's last line can be alone");
    dispatchEvent(new Event("afterprint"));
    if (document.body.dataset.mdColorScheme !== "slate") wrong.push("after printing the page is not dark again");
    return wrong;
})()'''
CONTENTS = '''(() => {
    const preview = document.querySelector("meta[property='og:image']")?.content;
    if (document.title !== "Coalescing in CUDA: a thread for each element - The Strassen Ladder") return ["the title is " + document.title];
    if (document.querySelector("link[rel=canonical]") && !preview?.endsWith(".png")) return ["the preview is " + preview];
    const shown = !!document.querySelector("details.contents")?.getClientRects().length, beside = !!document.querySelector(".md-sidebar--secondary .md-nav__link")?.getClientRects().length;
    return shown === beside ? ["the contents are " + (shown ? "there twice" : "nowhere")] : [];
})()'''

AXE_PART, AXE_WHOLE = '{ exclude: [".katex", "svg", ".md-sidebar--primary", ".md-tabs"] }', 'document'
CONTRAST, WITHOUT_CONTRAST = 'runOnly: ["color-contrast"],', 'rules: { "color-contrast": { enabled: false } },'
# A page becomes dark where it is, at once; whether it can.
DARK_HERE = '''(() => {
    const style = document.createElement("style");
    style.textContent = "* { transition: none !important }";
    document.head.append(style);
    return document.body.dataset.mdColorScheme === "default" && !!(document.body.dataset.mdColorScheme = "slate");
})()'''
LIGHT_HERE = 'document.body.dataset.mdColorScheme = "default"'
# Pages of each kind, which axe-core sees whole, in wide windows and on a phone, where they are dark, too.
AXE_ALL = ('index.html', 'steps/05-cpu-winograd/index.html', 'steps/06-gpu-naive/index.html', 'exercises/06-first-kernel/index.html',
           'docs/figures.html', 'api/files.html', 'playground/index.html')
# Chapters with figures whose letters were too small.
LETTERS = ('steps/10-gpu8/index.html', 'steps/21-tensor-cores/index.html')

# The button that makes the book dark, and how light a page's ground then is.
DARKEN = 'document.querySelector("input[data-md-color-scheme=default] + label").click()'
LIGHT = 'Math.max(...getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).slice(0, 3))'


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves the site, which does not change meanwhile."""

    def end_headers(self):
        self.send_header('Cache-Control', 'max-age=3600')
        super().end_headers()

    def send_error(self, code, message=None, explain=None):
        """A missing page, as a host of pages answers."""
        if code != 404 or not self.path.split('?')[0].endswith('.html'):
            super().send_error(code, message, explain)
            return
        with open(os.path.join(self.directory, '404.html'), 'rb') as file:
            text = file.read()
        self.send_response(404)
        self.send_header('Content-Type', 'text/html')
        self.send_header('Content-Length', str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *words):
        pass

    def copyfile(self, source, outputfile):
        try:
            super().copyfile(source, outputfile)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the browser has gone on to another page


class WithoutIndex(Quiet):
    """The same with an empty index of the search: to read it is most of a page's work."""

    def do_GET(self):
        if not self.path.endswith('/search_index.json'):
            super().do_GET()
            return
        with open(self.translate_path(self.path), encoding='utf-8') as file:
            index = json.load(file)
        text = json.dumps({'config': index['config'], 'docs': index['docs'][:1]}).encode()
        self.send_response(200)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(text)))
        self.end_headers()
        self.wfile.write(text)


def serve(site, handler):
    """The address at which a site is served from now on."""
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(handler, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return 'http://127.0.0.1:%d/' % server.server_address[1]


class Test:
    def __init__(self, browser, site, address, axe):
        self.browser, self.site, self.address, self.axe, self.wrong, self.pages, self.steps = browser, site, address, axe, 0, 0, 0
        self.playground = os.path.exists(os.path.join(site, 'playground'))  # made where there is node

    def fault(self, page, what):
        self.wrong += 1
        print('%s: %s' % (page, what), flush=True)

    def complaints(self, page):
        """What the browser has to say of a page: errors on its console, and what it could not fetch."""
        for event in self.browser.events:
            about, method = event['params'], event['method']
            if method == 'Runtime.exceptionThrown':
                details = about['exceptionDetails']
                self.fault(page, details.get('exception', {}).get('description', details['text']))
            elif method == 'Log.entryAdded' and about['entry']['level'] == 'error':
                self.fault(page, '%s %s' % (about['entry']['text'], about['entry'].get('url', '')))
            elif method == 'Runtime.consoleAPICalled' and about['type'] in ('error', 'assert'):
                self.fault(page, ' '.join(str(value.get('value')) for value in about['args']))
        self.browser.events = []

    def page(self, page):
        self.pages += 1
        self.browser.show('data-player' in text_of(self.site, page) or page == 'index.html')
        self.browser.size(WIDTHS[0])
        self.browser.open(self.address + page)
        self.browser.run(WHOLE)
        for width in WIDTHS if is_read(page) else WIDTHS[::2]:
            if width != WIDTHS[0]:
                self.browser.size(width)
            state = self.browser.run(STATE)
            for _ in range(250):
                if not state['waiting'] and state['playing'] >= state['players']:
                    break
                time.sleep(0.02)
                state = self.browser.run(STATE)
            for what in state['cut']:
                self.fault(page, 'at %d pixels: %s' % (width, what))
            for address, shown, right in state['drawn'] if width == WIDTHS[-1] or page in LETTERS else ():
                name = os.path.basename(address)
                if self.least(address) * shown < (LEAST if width == WIDTHS[-1] else 9) - 0.05:
                    self.fault(page, 'at %d pixels the letters of %s are %.1f pixels high' % (width, name, self.least(address) * shown))
                if right > width == WIDTHS[-1] and ('/phone/' in address or name == '10-tile.svg'):  # other pictures scroll
                    self.fault(page, '%s is wider than a window of %d' % (name, width))
            if state['wide'] > 0:
                self.fault(page, 'is %d pixels wider than a window of %d: %s' % (state['wide'], width, ', '.join(state['far'])))
            for word in self.browser.run(TORN):
                self.fault(page, 'in a window of %d the table tears the name "%s" apart' % (width, word))
            for picture in state['pictures']:
                self.fault(page, 'a picture did not come: ' + picture)
            if state['labels']:
                self.fault(page, 'at %d pixels: the cards of %d tables name other columns, or have the words of a cell in several places' % (width, state['labels']))
            if state['unreached']:
                self.fault(page, '%d blocks scroll sideways in a window of %d, but not by keyboard' % (state['unreached'], width))
            if state['formulas']:
                self.fault(page, '%d formulas were not set' % state['formulas'])
            if state['players'] != state['playing']:
                self.fault(page, '%d of %d players did not come' % (state['players'] - state['playing'], state['players']))
            if state['text'] < 40:
                self.fault(page, 'has no text')
            if self.axe and is_read(page) and (width == WIDTHS[-1] or width == WIDTHS[0] and page in AXE_ALL):
                where, how = AXE_WHOLE if page in AXE_ALL else AXE_PART, ', in a window of %d' % width
                contrast = page in AXE_ALL or zlib.crc32(page.encode()) % 4 == 0  # most of the work
                self.accessible(page, how, where, '' if contrast else WITHOUT_CONTRAST)
                if contrast and width == WIDTHS[-1] and self.browser.run(DARK_HERE):
                    self.accessible(page, ' in the dark' + how, where, CONTRAST)
                    self.browser.run(LIGHT_HERE)
        if state['playing']:
            for wanted, said in zip(OPENS.get(page, ()), self.browser.run(FIRST)):
                if wanted not in said:
                    self.fault(page, 'player: opens on another line than that with "%s"' % wanted)
            result = self.browser.run(PLAY, 60)
            self.steps += result['steps']
            for what in result['wrong']:
                self.fault(page, 'player: ' + what)
            if not self.browser.run(PLAYING):
                self.fault(page, 'player: does not play')
        self.complaints(page)

    def pictures_in_the_dark(self, page):
        """The ground of a picture has the page's colour."""
        ground = self.browser.run('getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).slice(0, 3).map(Number)')
        count = 'document.querySelectorAll("figure.picture :is(a img, .player svg)")'
        for i in range(self.browser.run(count + '.length')):
            place = self.browser.run('(async e => { if (!e.getClientRects().length) return null; e.loading = "eager"; e.scrollIntoView({ behavior: "instant", block: "start" }); if (e.decode) await e.decode();'
                                     'const box = e.getBoundingClientRect(); return [box.left + scrollX + 2, box.bottom + scrollY - 3]; })(%s[%d])' % (count, i))
            seen = place and self.browser.pixel(*place)
            if seen and max(abs(a - b) for a, b in zip(seen, ground)) > 24:
                self.fault(page, 'in the dark the ground of picture %d is %s, that of the page %s' % (i + 1, seen, ground))

    def accessible(self, page, how, where=AXE_WHOLE, rules=''):
        for _ in range(250):
            if not self.browser.run('!!window.ladder_is_fitting'):
                break
            time.sleep(0.02)
        if self.browser.run('!window.axe'):
            self.browser.run(self.axe + '; 0')
        for what in self.browser.run(AXE % (where, rules), 120):
            self.fault(page, 'axe%s: %s' % (how, what))

    def schemes(self):
        """A page that was made dark makes all others dark, of every kind."""
        self.browser.show(True)
        self.browser.dark(False)
        self.browser.open(self.address + 'index.html')
        self.browser.run('localStorage.clear()')
        self.browser.open(self.address + 'index.html')
        self.browser.run(DARKEN)
        for page in AXE_ALL:
            if not os.path.exists(os.path.join(self.site, page)):
                continue
            self.browser.size(WIDTHS[0])
            self.browser.open(self.address + page)
            if self.browser.run(LIGHT) > 90:
                self.fault(page, 'is not dark where another page was made dark')
            self.browser.run(WHOLE)
            self.pictures_in_the_dark(page)
            for width in WIDTHS[::2] if self.axe and not self.browser.run('!!document.body.dataset.mdColorScheme') else ():
                self.browser.size(width)  # a page of another tool
                self.browser.run('dispatchEvent(new Event("resize"))')
                self.accessible(page, ' in the dark, in a window of %d' % width, AXE_WHOLE, CONTRAST)
        self.browser.run('localStorage.clear()')

    def least(self, address):
        """The height of a picture's smallest letters over its width."""
        text = text_of(self.site, os.path.relpath(address, self.address))
        letters = re.findall(r'font-size[=:]\s*"?([\d.]+)', text)
        return min(map(float, letters)) / float(re.search(r'viewBox="[\d.-]+ [\d.-]+ ([\d.]+)', text).group(1)) if letters else 1

    def picture(self, picture):
        self.browser.show(False)
        self.browser.size(WIDTHS[0])
        self.browser.open(self.address + picture)
        for what in self.browser.run(WORDS):
            self.fault(picture, what)

    def search(self, address, how, width):
        """Whether the right chapter is the first that the search names."""
        self.browser.size(width)
        for number, (words, chapter) in enumerate(SEARCHES.items()):
            if number == 0:  # by a link; the others are typed, since a page reads its index but once
                self.browser.open(address + 'index.html?q=' + words.replace(' ', '%20'))
            else:
                self.browser.run(SEARCH % json.dumps(words))
            first = None
            for _ in range(200):
                first = self.browser.run('(document.querySelector(".md-search-result__link") || {}).href || null')
                if first:
                    break
                time.sleep(0.05)
            if chapter.startswith('playground') and not self.playground:
                continue
            if not first or ('/steps/%s-' % chapter if chapter.isdigit() else chapter) not in first:
                self.fault('search for "%s"%s' % (words, how), 'the first page is %s, not chapter %s' % (first, chapter))
            for what in self.browser.run(SHOWN):
                self.fault('search for "%s"%s' % (words, how), what)
            if words in DEFINED and not self.browser.run(GLOSSARY):
                self.fault('search for "%s"%s' % (words, how), 'the glossary defines it and does not come')
            self.complaints('search')

    def looks(self):
        """Dark where the system is dark; on paper the text and the still pictures alone."""
        page = self.with_player()
        self.browser.open(self.address + page)
        self.browser.run('localStorage.clear()')
        self.browser.dark(True)
        self.browser.open(self.address + page)
        if self.browser.run(LIGHT) > 90:
            self.fault(page, 'is not dark where the system is')
        self.browser.dark(False)
        self.browser.call('Emulation.setEmulatedMedia', media='print')
        shown = self.browser.run('[".md-header", ".player", "figure[data-player] img"].map(s => !!document.querySelector(s) && document.querySelector(s).getClientRects().length > 0)')
        if shown != [False, False, True]:
            self.fault(page, 'on paper: header, player and still picture are shown: %s' % shown)
        self.browser.call('Emulation.setEmulatedMedia', media='')

    def reader(self, searched, width):
        """What a reader finds in a window of this width: the editor, numbers, exercises, the gallery, the contents, a lost page, and paper."""
        at = ' in a window of %d' % width
        self.browser.size(width, 844)
        self.browser.dark(False)
        self.browser.open(self.address + 'index.html')
        self.browser.run('localStorage.clear(), localStorage.setItem("ladder-lab/progress", "2026-01-02T03:04:05Z\\t01-row-order\\tstart\\n2026-01-02T03:14:05Z\\t01-row-order\\tpass\\n2026-01-02T04:04:05Z\\t02-packed-block\\tstart\\n")')
        self.looks_for('index.html', at, FRONT)
        self.browser.open(self.address + 'exercises/index.html')
        self.looks_for('exercises/index.html', at, PROGRESS.replace('PLAYGROUND', json.dumps(self.playground)))
        self.browser.run('localStorage.clear()')
        if os.path.exists(os.path.join(self.site, 'docs', 'run-here.html')):
            self.browser.open(self.address + 'docs/run-here.html')
            self.looks_for('docs/run-here.html', at, CARDS)
        self.browser.open(self.address + 'docs/figures.html')
        self.looks_for('docs/figures.html', at, FIGURES)
        self.browser.open(searched + 'steps/08-gpu-shared/bank-conflict.html')
        self.looks_for('404.html', at, LOST)
        self.browser.open(self.address + 'steps/06-gpu-naive/index.html')
        self.looks_for('steps/06-gpu-naive/index.html', at, CONTENTS)
        self.browser.run('document.body.dataset.mdColorScheme = "slate"')
        self.browser.call('Emulation.setEmulatedMedia', media='print')
        self.looks_for('steps/06-gpu-naive/index.html', at, PAPER)
        self.browser.call('Emulation.setEmulatedMedia', media='')
        self.browser.events = []

    def looks_for(self, page, how, script):
        for what in self.browser.run(script, 60):
            self.fault(page, what + how)

    def with_player(self):
        return next((page for page in all_pages(self.site) if is_read(page) and 'data-player' in text_of(self.site, page)), 'index.html')


def is_read(page):
    """Chapters, exercises, the docs' pages and the overviews of the headers, not the sources."""
    return not page.startswith('source' + os.sep) and (not page.startswith('api' + os.sep) or page[4:] in HEADERS)


HEADERS = ('index.html', 'files.html', 'step_8h.html')


def text_of(site, page):
    with open(os.path.join(site, page), encoding='utf-8') as file:
        return file.read()


def all_pages(site):
    """The book's pages; of the headers' pages the overviews and three of each kind, of the sources three of each language."""
    found, kinds = [], {}
    for where, _, names in sorted(os.walk(site)):
        for name in sorted(names):
            page = os.path.relpath(os.path.join(where, name), site)
            if not name.endswith('.html') or page == '404.html':
                continue
            if page.startswith('api' + os.sep):
                kind = 'source' if name.endswith('_source.html') else 'struct' if name.startswith('struct') else \
                    'directory' if name.startswith('dir_') else 'file' if '_8' in name else 'overview'
                kinds[kind] = kinds.get(kind, 0) + 1
                if kinds[kind] > 3 or os.sep + 'search' + os.sep in page:
                    continue
            if page.startswith('source' + os.sep):
                kind = name.split('.')[-2]
                kinds[kind] = kinds.get(kind, 0) + 1
                if kinds[kind] > 3:
                    continue
            found.append(page)
    return found


def main():
    site = os.path.abspath(sys.argv[1])
    program = chromium.find()
    if not program:
        print('skipped: there is no Chromium here (Debian: apt-get install chromium)')
        return 77
    if not os.path.exists(os.path.join(site, 'index.html')):
        print('skipped: no site in %s; ./ladder docs makes it' % site)
        return 77
    began, axe = time.monotonic(), ''
    script = os.path.join(site, '..', 'web', 'axe', 'node_modules', 'axe-core', 'axe.min.js')
    if os.path.exists(script):
        with open(script, encoding='utf-8') as file:
            axe = file.read()
    else:
        print('without axe-core: ./ladder docs fetches it where there is npm')
    pictures = [os.path.relpath(os.path.join(where, name), site) for folder in ('docs', 'steps', 'phone')
                for where, _, names in os.walk(os.path.join(site, folder)) for name in sorted(names) if name.endswith('.svg')]
    pages, address, searched = queue.SimpleQueue(), serve(site, WithoutIndex), serve(site, Quiet)
    chosen = sys.argv[2:] or all_pages(site)
    if chosen == ['--some']:
        chosen, pictures = [page for i, page in enumerate(all_pages(site)) if i % 8 == 0 or page in AXE_ALL + LETTERS], pictures[::3]
    for page in chosen:
        pages.put((Test.page, page))
    for picture in pictures:
        pages.put((Test.picture, picture))

    def opened(test, first):
        """A browser's share of the pages, then its share of all else."""
        try:
            while True:
                look, place = pages.get_nowait()
                look(test, place)
        except queue.Empty:
            pass
        test.browser.show(True)
        test.browser.size(WIDTHS[0])
        if first:
            test.search(searched, '', WIDTHS[0])
            test.schemes()
        else:
            test.search('file://' + site + '/', ', from a folder, on a phone', WIDTHS[-1])
            test.looks()
            for width in WIDTHS[::2]:
                test.reader(searched, width)

    # Two browsers: a page loads on one core, most of the time.
    with chromium.Browser(program) as one, chromium.Browser(program) as other, concurrent.futures.ThreadPoolExecutor(2) as pool:
        tests = [Test(browser, site, address, axe) for browser in (one, other)]
        list(pool.map(opened, tests, (True, False)))
    wrong = sum(test.wrong for test in tests)
    print('%d pages at %s pixels, %d pictures, %d steps of players, %d searches, %.0f s: %d wrong'
          % (sum(test.pages for test in tests), ' and '.join(map(str, WIDTHS)), len(pictures), sum(test.steps for test in tests), len(SEARCHES),
             time.monotonic() - began, wrong))
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
