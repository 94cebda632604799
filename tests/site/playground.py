#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""playground.py SITE [--firefox] [PART...]: uses the playground of a built site as a reader does, in headless Chromium:
loads it, runs a program, prints, shows the compact form, chooses a thread and saves the picture, compares two kernels, steps through a warp, chooses the order of threads, runs a chapter's kernel from its button, edits, sees a
fault at its line, a compiler's error, an endless loop, a loop that takes memory, a crash, exercises, an address that
shares a changed program, the page's policy, the page without a network, without a mouse, and on a phone. In Firefox a
part of that.

Wrong is also what Chromium complains of, and a request to anybody else than the site.
Exit status: 0 right, 1 wrong, 77 there is no such browser, no site or no playground in it."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import browser
from browsers import chromium, firefox

VIEW = '(content => content.cmTile ? content.cmTile.view : content.cmView.view)(document.querySelector(".cm-content"))'
EDIT = '''(() => {
    const view = VIEW, text = view.state.doc.toString();
    const at = text.indexOf(%s);
    if (at >= 0) view.dispatch({ changes: { from: at, to: at + %s.length, insert: %s } });
    return at >= 0;
})()'''.replace('VIEW', VIEW)
STEPPED = '''__global__ void turn(float *x, int *n)
{
    __shared__ float as[4][8];
    int t = threadIdx.x;
    as[t / 8][t % 8] = x[t];
    __syncthreads();
    float y = as[3 - t / 8][t % 8];
    y += __shfl_xor_sync(0xffffffff, y, 1);
    if (t < 16)
        x[t] = y;
    else
        n[t] = -t;
    atomicAdd(n, t);
}
int main()
{
    float h[32], *x;
    int *n, seven = 7;
    for (int i = 0; i < 32; i++) h[i] = i / 2.0f;
    cudaMalloc(&x, sizeof h);
    cudaMalloc(&n, sizeof h);
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(n, &seven, sizeof seven, cudaMemcpyHostToDevice);
    turn<<<1, 32>>>(x, n);
    cudaFree(x), cudaFree(n);
}
'''
SYNCHRONOUS = '''__global__ void sum(float *x)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t < 32) {
%s    }
    if (t == 0)
        x[0] = s[0];
}
__global__ void last(float *x, int n)
{
    float own[4];
    for (int i = 0; i <= n; i++)
        own[i] = x[i];
    x[0] = own[n / 2];
}
int main()
{
    float *x;
    cudaMalloc(&x, 256);
    cudaMemset(x, 0, 256);
    sum<<<1, 64>>>(x);
    last<<<1, 1>>>(x, 4);
    cudaFree(x);
}
''' % ''.join('s[t] += s[t + %d];\n' % (32 >> i) for i in range(6))
SAVED = 'window.URL.createObjectURL = blob => { blob.text().then(text => { window.saved = text; }); return "#"; };'


class Server(browser.Quiet):
    """Serves the site, until it is told not to: a file ends in its middle, or nothing arrives."""
    broken, down = '', False

    def do_GET(self):
        if Server.down:
            self.close_connection = True
        else:
            super().do_GET()

    def copyfile(self, source, outputfile):
        if Server.broken and Server.broken in self.path:
            outputfile.write(source.read(1000))
            self.close_connection = True
        else:
            super().copyfile(source, outputfile)


class Playground:
    def __init__(self, page, address):
        self.page, self.address, self.wrong = page, address, 0

    def expect(self, what, right, seen=''):
        print('%s  %s%s' % ('ok   ' if right else 'WRONG', what, '' if right else ': ' + str(seen)[:600]), flush=True)
        self.wrong += not right

    def text(self, selector):
        return self.page.run('(document.querySelector(%s) || {}).textContent || ""' % json.dumps(selector))

    def until(self, script, seconds):
        """Whether an expression becomes true in time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.page.run('(async () => Boolean(await (%s)))()' % script):  # an element of the page would come as {}
                return True
            time.sleep(0.1)
        return False

    def open(self, chosen='', page='index.html'):
        self.page.open('about:blank')  # another part behind the # alone would load nothing
        self.page.open(self.address + 'playground/' + page + chosen)
        return self.until('document.documentElement.dataset.ready === "yes"', 30)

    def choose(self, chosen):
        """Another address in the same page, which keeps its compiler. What was typed there before is forgotten."""
        program = chosen.split('=')[1].split('&')[0]
        self.page.run('localStorage.removeItem("ladder-playground/%s"), history.replaceState(null, "", "#"), location.hash = %s' % (program, json.dumps(chosen)))
        self.until('document.getElementById("program").value === %s && location.hash.includes("file=")' % json.dumps(program), 10)

    def run(self, seconds=120):
        """Presses Run and waits for the end; what the page says then."""
        self.page.run('document.getElementById("run").click()')
        self.until('!document.getElementById("run").disabled', seconds)
        return self.text('#said')

    def edit(self, old, new):
        old, new = json.dumps(old), json.dumps(new)
        self.expect('the program has %s to change' % old, self.page.run(EDIT % (old, old, new)))

    def key(self, key, code, modifiers=0, text=None):
        for kind in ('keyDown', 'keyUp'):
            more = {'text': text} if text and kind == 'keyDown' else {}
            self.page.call('Input.dispatchKeyEvent', type=kind, key=key, code=key, windowsVirtualKeyCode=code, modifiers=modifiers, **more)

    def complaints(self, when):
        for event in self.page.events:
            about = event['params']
            if event['method'] == 'Runtime.exceptionThrown':
                self.expect(when, False, about['exceptionDetails'])
            elif event['method'] == 'Log.entryAdded' and about['entry']['level'] == 'error':
                self.expect(when, False, '%s %s' % (about['entry']['text'], about['entry'].get('url')))
            elif event['method'] == 'Network.requestWillBeSent':
                url = about['request']['url']
                if not url.startswith((self.address, 'about:', 'blob:' + self.address, 'data:')):
                    self.expect('nothing comes from elsewhere', False, url)
        self.page.events = []

    # ---- what a reader does ----

    def first_run(self):
        self.expect('the page loads', self.open('#program=1-hello-threads'))
        self.until('navigator.serviceWorker.controller', 30)  # it keeps the files
        Server.broken = 'llvm-resources'
        said = self.run(280)
        self.expect('a file that does not arrive is reported, and how to go on', said.startswith('The compiler could not be started') and 'Press Run' in said, said)
        self.at_widths('the message', '#said')
        self.expect('a file of which a part came is not kept', self.page.run('caches.match("llvm-resources.tar.gz").then(kept => !kept)'))
        Server.broken = 'lab.wasm'
        self.page.run('document.getElementById("program").value = "06-first-kernel", document.getElementById("program").onchange()')
        self.expect('a file of the exercises that does not arrive, too', self.until('document.getElementById("said").textContent.startsWith("A file did not arrive")', 30), self.text('#said'))
        self.expect('and the program before is shown', self.page.run('document.getElementById("program").value') == '1-hello-threads')
        Server.broken, self.page.events = '', []  # the browser complains of it
        begun = time.monotonic()
        said = self.run(280)
        self.expect('the first program runs (%.1f s)' % (time.monotonic() - begun), said.startswith('No fault. Exit status 0'), said)
        self.expect('its output is there', 'element 11 was written by thread 11' in self.text('#output'), self.text('#output'))
        self.expect('counts stand at the lines', 'k' in self.text('.counts') or self.page.run('[...document.querySelectorAll(".counts span")].some(s => +s.textContent > 0)'))
        self.expect('the report is there', 'Global memory, model modern' in self.text('#report'), self.text('#report'))
        self.expect('the picture is drawn', self.page.run('document.querySelectorAll("#picture rect").length > 32'))
        self.complaints('after the first run')

    def picture(self):
        self.choose('#program=1-hello-threads')
        self.run()
        says = lambda: self.text('#picture_says')
        self.expect('the picture is of thread 0', 'Warp 0 of block 0' in says() and 'Thread 0: bytes 0 to 3.' in says(), says())
        self.page.run('document.getElementById("thread").value = 2, document.getElementById("thread").dispatchEvent(new Event("change"))')
        self.expect('another thread can be chosen', 'Thread 2: bytes 8 to 11.' in says(), says())
        self.expect('and is dark', self.text('#picture .mine text') == '2', self.text('#picture .mine'))
        self.page.run('document.getElementById("block").value = 1, document.getElementById("block").dispatchEvent(new Event("change"))')
        self.until('!document.getElementById("run").disabled', 120)
        self.expect('and another block', 'Warp 0 of block 1' in says() and 'Thread 2: bytes 24 to 27.' in says(), says())
        self.page.run('(() => { ' + SAVED + 'document.getElementById("save").click(); })()')
        self.expect('the picture is saved', self.until('(window.saved || "").startsWith("<svg")', 5), self.page.run('window.saved'))
        self.page.run('document.getElementById("thread").value = document.getElementById("block").value = 0')

    def steps(self):
        """A warp step by step, forwards and backwards: line, threads and values, and the line in the editor."""
        row = lambda number: self.page.run('[...document.querySelectorAll("#steps_threads tr:has(td)")].map(r => [...r.cells].map(c => c.textContent).join(" "))[%d] || ""' % number)
        seen = lambda: (self.text('#steps_line'), re.sub(r'^Step \d+ of \d+, |, kernel \w+', '', self.text('#steps_says')), row(0), row(15))
        click = lambda name: self.page.run('document.getElementById("steps_%s").click()' % name)
        for width in (390, 1280):
            self.page.size(width)
            self.choose('#program=empty')
            self.whole(json.dumps(STEPPED))
            said = self.run()
            self.expect('%d: a program to step through runs' % width, said.startswith('No fault'), said + self.text('#output'))
            forwards = [seen()]
            for _ in range(8):
                click('on')
                forwards.append(seen())
                self.expect('%d: the line is marked in the editor' % width, self.text('.cm-line.stepping').strip() == forwards[-1][0] != '', self.text('.cm-line.stepping'))
            where = 'warp 0 of block 0, mine.cu:'
            self.expect('%d: each step has its line, threads and values' % width, forwards == [
                ('as[t / 8][t % 8] = x[t];', where + '5. 32 threads read 4 bytes each.', '0 x[0] 0', '15 x[15] 7.5'),
                ('as[t / 8][t % 8] = x[t];', where + '5. 32 threads write shared memory: 4 bytes each.', '0 as[0][0] 0', '15 as[1][7] 7.5'),
                ('__syncthreads();', where + '6. 32 threads wait here until all threads of the block have come (a barrier).', '', ''),
                ('float y = as[3 - t / 8][t % 8];', where + '7. 32 threads read shared memory: 4 bytes each.', '0 as[3][0] 12', '15 as[2][7] 11.5'),
                ('y += __shfl_xor_sync(0xffffffff, y, 1);', where + '8. 32 threads exchange values.', '0 12 → 12.5', '15 11.5 → 11'),
                ('x[t] = y;', where + '10. 16 threads write 4 bytes each.', '0 x[0] 24.5', '15 x[15] 22.5'),
                ('n[t] = -t;', where + '12. 16 threads write 4 bytes each.', '16 n[16] -16', '31 n[31] -31'),
                ('atomicAdd(n, t);', where + '13. 32 threads change 4 bytes each.', '0 n[0] 38 → 38', '15 n[0] 143 → 158'),
                ('atomicAdd(n, t);', where + '13. 32 threads change 4 bytes each.', '0 n[0] 38 → 38', '15 n[0] 143 → 158')], forwards)
            backwards = [seen()]
            for _ in range(7):
                self.page.run('document.getElementById("steps_on").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }))')
                backwards.insert(0, seen())
            self.expect('%d: backwards it is the same, by the arrow keys' % width, backwards == forwards[:8], backwards)
            self.page.run('(() => { const step = document.getElementById("steps_at"); step.value = 3; step.oninput(); })()')
            self.expect('%d: the slider leads to a step' % width, seen() == forwards[3], seen())
            self.phone_shows('%d: with the steps' % width)

    def heat(self):
        """The picture of a line has all warps of the launch; a click on the counts leads to it, and one of its cells to a line and thread."""
        for width in (390, 1280):
            self.page.size(width)
            self.choose('#program=empty')
            self.run()
            title = self.page.run('[...document.querySelectorAll("[data-block] title")].map(e => e.textContent).join("|")').split('|')
            self.expect('%d: the picture has all warps over the array' % width, len(title) == 25 and title[24] == 'bytes 384 to 399: 1 request; first thread 0 of block 3, mine.cu:7', title)
            self.page.run('scrollTo(0, 0), (e => e.dispatchEvent(new MouseEvent("click", { bubbles: true, clientY: e.getBoundingClientRect().top + 5 })))(document.querySelector(".counts span:not(:empty)"))')
            self.expect('%d: a click on a line\'s counts leads to its picture' % width, self.page.run('scrollY > 0 && document.getElementById("line").value') == 'mine.cu:7')
            self.phone_shows('%d: with a picture' % width)
            self.page.run('document.querySelectorAll("[data-block]")[23].focus()')
            self.key('ArrowRight', 39)
            self.key('Enter', 13, text='\r')
            self.until('!document.getElementById("run").disabled && document.querySelector("#picture svg")', 60)
            self.expect('%d: a cell leads to its thread' % width, 'Warp 0 of block 3' in self.text('#picture_says') and 'Thread 0: bytes 384 to 387.' in self.text('#picture_says'), self.text('#picture_says'))
            self.expect('%d: and line' % width, 'x[i] = i * i' in self.text('.cm-activeLine'), self.text('.cm-activeLine'))
            self.expect('%d: and the focus stays at the cell' % width, self.page.run('document.activeElement === document.querySelectorAll("[data-block]")[24]'))
            self.edit('square<<<', 'square<<<1, 32>>>(on_device, n);\n    square<<<')
            cells = []
            for launch in (0, 1):
                self.page.run('document.getElementById("launch").value = %d' % launch)
                self.run()
                cells.append(self.page.run('document.querySelectorAll("[data-block]").length'))
            self.expect('%d: each launch of a kernel has its picture' % width, cells == [8, 25] and ', launch 1' in self.text('#picture_says'), (cells, self.text('#picture_says')))
            self.choose('#program=08-gpu-shared&variant=tile16-at-bt&n=32')
            self.run()
            self.page.run('document.getElementById("line").value = "steps/08-gpu-shared/tiles.cuh:31", document.getElementById("line").onchange()')
            banks = self.page.run('[...document.querySelectorAll("[data-block] title")].map(e => e.textContent).join("|")').split('|')
            self.expect('%d: the banks are a second view' % width, 'bank 0: 8 requests, at most 8 words in one; first thread 0 of block 0, steps/08-gpu-shared/tiles.cuh:26' in banks, banks[:40])

    def pair(self):
        """Two kernels side by side: the counts of their lines, and which of them differ."""
        words = lambda row: self.text('#compared tbody tr:nth-child(%d)' % row)
        for width in (390, 1280):
            self.page.size(width)
            self.choose('#program=08-gpu-shared&variant=tile16-at-bt&n=32&compare=tile16-at')
            self.run()
            self.until('document.querySelector("#compared tr")', 60)
            self.expect('%d: two kernels are compared' % width, self.text('#compare_says') == 'tile16-at-bt makes 1.00 times the transactions of tile16-at. '
                        'Its accesses to shared memory take 3.90 times as many passes. 2 of 6 lines differ.', self.text('#compare_says'))
            marked = self.page.run('[...document.querySelectorAll("#compared .differ button")].map(e => e.textContent).join()')
            self.expect('%d: lines that differ are marked' % width, marked == 'tiles.cuh:27,tiles.cuh:31', marked)
            self.expect('%d: with the counts of both' % width, words(5).endswith('9,216 passes (conflict 4.50x)2,048 passes (conflict 1.00x)4.50'), words(5))
            self.phone_shows('%d: with two kernels' % width)
            self.page.run('document.querySelector("#compared tbody tr:nth-child(5) button").click()')
            self.expect('%d: a row leads to its line' % width, 'sum += as' in self.text('.cm-activeLine'), self.text('.cm-activeLine'))
            self.choose('#program=empty&compare=original')
            self.edit('x[i] = i * i;', '\n        x[n - 1 - i] = i * i;')
            self.run()
            self.until('document.querySelector("#compared tr")', 60)
            self.expect('%d: one\'s text is compared with the original' % width, self.text('#compare_says').startswith('mine.cu makes 1.23 times') and words(1).count('only one') == 1, self.text('#compare_says') + words(1))

    def compact(self):
        """The form for other pages (browser.py loads it from one), with a launch that fails: code, Run, counts, and the fault at its line."""
        self.choose('#program=launch-errors&variant=alignment')
        self.page.run('document.documentElement.dataset.embed = "yes"')
        said = self.run()
        self.expect('the compact form runs a launch that fails', said.startswith('1 fault') and 'done: 716 misaligned address' in self.text('#output'), said + self.text('#output'))
        self.expect('and marks its line', '__global__ void by_vectors' in self.text('.cm-line.faulty'), self.text('.cm-line.faulty'))
        self.at_widths('the button of the compact form', '#run')
        self.phone_shows('in the compact form')
        shown = self.page.run('["header", "#share", "#program", "#report", ".legend", "#run", "#editor", "#output"].filter(e => document.querySelector(e).getClientRects().length)')
        self.expect('and shows code, Run and output alone', shown == ['#run', '#editor', '#output'], shown)
        self.page.run('delete document.documentElement.dataset.embed')

    def paper(self, when):
        """On paper the whole program and output are there, dark on white."""
        self.page.run('document.documentElement.dataset.scheme = "dark", dispatchEvent(new Event("beforeprint"))')
        self.page.call('Emulation.setEmulatedMedia', media='print')
        cut = lambda: self.page.run('[...document.querySelectorAll(".cm-scroller, pre")].filter(e => e.getClientRects().length && e.scrollHeight > e.clientHeight + 1).map(e => e.id || e.className)')
        self.expect('%s nothing is cut' % when, self.until('document.querySelectorAll(".cm-line").length === %s.state.doc.lines' % VIEW, 5) and not cut(), cut())
        ground = self.page.run('getComputedStyle(document.body).backgroundColor')
        self.expect('%s the ground is white' % when, ground == 'rgb(255, 255, 255)', ground)
        self.page.call('Emulation.setEmulatedMedia', media='')
        self.page.run('dispatchEvent(new Event("afterprint")), document.documentElement.dataset.scheme = "light"')

    def seed(self):
        """Another seed is another order of threads, the same seed the same one."""
        self.choose('#program=1-hello-threads&seed=0')
        self.edit('number[i] = i;', 'number[i] = i; printf("<%d>", i);')
        orders = []
        for seed in (0, 7, 7, 8):
            self.page.run('document.getElementById("seed").value = %d' % seed)
            self.run()
            orders.append([int(number) for number in re.findall('<(\\d+)>', self.text('#output'))])
        in_order = list(range(12))
        self.expect('seed 0 runs the threads in order', orders[0] == in_order, orders)
        self.expect('another seed in another order', sorted(orders[1]) == in_order and orders[1] != in_order, orders)
        self.expect('the same seed in the same order', orders[1] == orders[2] != orders[3], orders)
        self.page.run('document.getElementById("share").click()')
        self.expect('the address has the seed', self.until('location.hash.includes("seed=8")', 10))
        frame, markdown = (self.page.run('document.getElementById("share_%s").value' % name) for name in ('frame', 'markdown'))
        self.expect('a line for a web page is there', re.match('<iframe src="%splayground/(?:index.html)?\\?embed#program=1-hello-threads.*" title=' % self.address, frame), frame)
        self.at_widths('the line for a web page', '#share_frame')
        self.at_widths('the line for Markdown', '#share_markdown')
        self.expect('and one for Markdown', re.match(r'\[.*\]\(%splayground/(?:index.html)?#program=1-hello-threads' % self.address, markdown), markdown)

    def chapter(self):
        """A chapter's button gives an address with a ?; the chapter's kernel runs, at all its variants and by both rules."""
        self.expect('a chapter leads here', self.open('?program=08-gpu-shared&variant=tile16-at-bt&file=steps/08-gpu-shared/tiles.cuh&n=32', page=''))
        said = self.run(280)
        self.expect('its kernel runs', said.startswith('No fault. Exit status 0') and 'all 1024 elements of C are right' in self.text('#output'), said)
        self.expect('conflicts stand at the lines', self.page.run('[...document.querySelectorAll(".counts .bad")].some(s => s.textContent.includes("≡"))'))
        self.page.run('document.getElementById("rules").value = "c1060"')
        said = self.run()
        self.page.run('(() => { const view = %s, at = view.state.doc.toString().indexOf("sum +="); view.dispatch({ selection: { anchor: at } }); })()' % VIEW)
        self.expect('a line says its counts', re.search(r'requests, \d+ passes', self.text('#line_says')), self.text('#line_says'))
        self.expect('by the rules of 2008 too', 'model c1060' in self.text('#report'), self.text('#report'))
        origin = self.text('#file') + ' ' + self.page.run('document.getElementById("chapter").getAttribute("href")')
        self.paper('on paper')
        self.expect('the page says where the kernel comes from', origin == 'steps/08-gpu-shared/tiles.cuh ../steps/08-gpu-shared/index.html', origin)

    def buttons(self, site):
        """Chapters 06 to 16, 17, which shows a kernel of step 12, the short climb, the page about copies and the primer lead here; their pages grow by 2 kB at most."""
        if not os.path.isdir(os.path.join(site, 'steps')):
            return  # the playground alone was made
        sizes = {}
        for page in glob.glob(os.path.join(glob.escape(site), '**', '*.html'), recursive=True):
            with open(page, encoding='utf-8') as file:
                found = re.findall(' <a class="run".*?</a>', file.read())
            if found:
                sizes[os.path.relpath(page, site)] = sum(len(button.encode()) for button in found)
        leading = sorted({re.sub(r'^steps/(\d\d|short-climb).*|docs/(.*)\.html', r'\1\2', page) for page in sizes})
        self.expect('chapters 06 to 17, the short climb, the copies and the primer lead here', leading == ['%02d' % step for step in range(6, 18)] + ['copies', 'cuda-primer', 'short-climb'], leading)
        self.expect('for 2 kB a page at most', max(sizes.values()) <= 2000, sizes)
        with open(os.path.join(site, 'steps/08-gpu-shared/index.html'), encoding='utf-8') as file:
            pair = re.search('08-gpu-shared&amp;variant=tile16-at-bt&amp;compare=tile16-at&amp;[^"]*">Compare here<', file.read())
        self.expect('chapter 08 opens two layouts side by side', pair)

    def policy(self):
        """What the page's Content-Security-Policy forbids."""
        self.complaints('before the policy was tried')
        for script, what in (('Function("return 1")()', 'makes no code of a text'), ('fetch("http://127.0.0.1:9/")', 'fetches nothing from elsewhere'),
                             ('new Promise((done, failed) => { const made = document.createElement("script"); made.textContent = "window.came = 1";'
                              'document.head.append(made); window.came ? done() : failed(new Error("refused")); })', 'runs no script inside a page')):
            answer = self.page.call('Runtime.evaluate', expression='(async () => { %stry { await %s; return "done"; } catch (e) { return e.message; } })()'
                                    % ('window.refused = ""; addEventListener("securitypolicyviolation", e => { window.refused = e.effectiveDirective; }); ', script),
                                    awaitPromise=True, returnByValue=True, allowUnsafeEvalBlockedByCSP=False)
            said, refused = answer['result'].get('value'), self.until('window.refused', 2)
            self.expect('the page ' + what, said != 'done' and refused, said)
        self.page.events = []  # the browser complains of each

    def fault(self):
        self.choose('#program=1-hello-threads')
        self.edit('blockIdx.x * blockDim.x + ', '')
        begun = time.monotonic()
        said = self.run()
        self.expect('a race is found (edit to result: %.1f s)' % (time.monotonic() - begun), said.startswith('1 fault'), said)
        self.expect('it is shown below its line', 'write number[' in self.text('.fault'), self.text('.fault'))
        for width in (390, 1280):
            self.page.size(width)
            self.expect('%d: a screen reader hears it' % width, re.match('docs/primer/1-hello-threads.cu:22: (?s:.*) write number', self.text('#faults[role=log]')), self.text('#faults'))
            names = self.page.run('[...document.querySelectorAll("label, .cm-content")].map(e => e.getAttribute("aria-label") || e.firstChild.textContent.trim())')
            self.expect('%d: no two parts of the page have one name' % width, len(names) == len(set(names)), names)
            self.phone_shows('%d: with a fault' % width)
        self.at_widths('the number of faults', '#said')
        self.expect('which is the line that writes', 'number[i] = i' in self.text('.cm-line.faulty'), self.text('.cm-line.faulty'))
        self.choose('#program=empty')
        self.whole(json.dumps(SYNCHRONOUS))
        for width in (390, 1280):
            self.page.size(width)
            self.run()
            said = self.text('#faults')
            self.expect('%d: all lines of a warp that are not synchronised are named, and a local array' % width,
                        re.findall(r'^mine.cu:(\d+): ', said, re.M) == ['8', '9', '10', '11', '12', '13', '22'] and 'asks for element 4 of own, which has 4' in said, said)

    def error(self):
        self.choose('#program=1-hello-threads')
        self.edit('number[i] = i;', 'number[i] = j;')
        said = self.run()
        self.expect('an error of the compiler is shown', said == 'It does not compile.', said)
        self.expect('at its line', "undeclared identifier 'j'" in self.text('.fault'), self.text('.fault'))

    def limit(self, seconds):
        """The page ends a run after 15 seconds: now earlier, for none of these tests has to wait."""
        self.page.run('window.later ??= setTimeout, window.setTimeout = (what, when, ...more) => later(what, when === 15000 ? %d : when, ...more), 0' % (1000 * seconds))

    def endless(self):
        self.choose('#program=1-hello-threads')
        self.limit(2)
        self.edit('number[i] = i;', 'number[i] = i; while (number[i] >= 0) number[i] = i;')
        said = self.run()
        self.expect('an endless loop is ended', 'still running after' in said, said)
        self.page.run('document.getElementById("run").click()')
        self.expect('it can be stopped before', self.until('!document.getElementById("stop").disabled', 60))
        self.page.run('document.getElementById("stop").click()')
        self.expect('and then is', self.until('document.getElementById("said").textContent === "Stopped."', 10), self.text('#said'))
        self.limit(15)
        self.page.run('document.getElementById("undo").click()')
        self.edit('number[i] = i;', 'while (number[0] == 0);')
        self.page.run('(post => { Worker.prototype.postMessage = function (m) { m.environment = m.environment?.map(e => e.replace("LIMIT=10", "LIMIT=2")); post.call(this, m); }; })'
                      '(Worker.prototype.postMessage), 0')  # seconds: none of these tests has to wait
        said = self.run()
        self.expect('a loop that never ends is named', '22: fault: endless-loop' in self.text('#output') and 'while (' in self.text('.cm-line.faulty'), said + self.text('#output'))
        self.at_widths('what became of the loop', '#said')

    def bomb(self):
        self.choose('#program=empty')
        self.limit(2)
        self.edit('const int n = 100;', 'const int n = 100; for (;;) memset(malloc(1 << 20), 1, 1 << 20);')
        said = self.run()
        self.expect('who takes all memory is ended', 'crashed' in said or 'still running after' in said, said)
        self.limit(15)

    def crash(self):
        self.choose('#program=empty')
        self.edit('const int n = 100;', 'const int n = 100; volatile char *deep = (char *)alloca(1 << 29); deep[0] = 1; abort();')
        said = self.run()
        self.expect('a crash is reported', 'crashed' in said, said)
        self.page.run('document.getElementById("undo").click()')
        said = self.run()
        self.expect('and the page goes on', said.startswith('No fault'), said)

    def share(self):
        self.choose('#program=08-gpu-shared&variant=tile16-at&n=32&rules=c1060')
        self.edit('sum += as', 'sum += 1 * as')
        self.page.run('document.getElementById("share").click()')
        self.expect('the address has the program', self.until('location.hash.includes("edits=")', 10))
        self.open(self.page.run('location.hash'))
        self.expect('and brings it back', '1 * as[' in self.text('.cm-content'), self.text('.cm-content'))
        chosen = self.page.run('["variant", "n", "rules"].map(id => document.getElementById(id).value).join()')
        self.expect('with its settings', chosen == 'tile16-at,32,c1060', chosen)

    def offline(self):
        """After the first run all works without a network, also what was not opened before."""
        kept = 'caches.keys().then(names => caches.open(names[0])).then(cache => cache.match("lab_gpu.o.gz")).then(Boolean)'
        self.expect('after the first run the page fetches what is left', self.until(kept, 30))
        Server.down = True
        self.page.size(390)
        self.expect('390: without a network a chapter leads here', self.open('?program=06-gpu-naive&n=32', page=''))
        said = self.run()
        self.expect('390: and its kernel runs', said.startswith('No fault. Exit status 0'), said)
        gutter = self.page.run('[...document.querySelectorAll(".counts span")].map(s => s.textContent + "; " + s.title).join("|")')
        self.expect('reuse is shown at the lines', ' ×16; ' in gutter and 'each used by 16 threads' in gutter, gutter)
        self.expect('and sectors', 'sectors of 32 bytes' in gutter, gutter)
        self.exercise(390)
        self.page.size(1280)
        self.exercise_in_c(1280)
        self.chapter()
        Server.down = False

    def keeps(self):
        """What one types is there again after a reload, another program, Back, Reset, and an address that somebody else has shared."""
        content, back = (lambda: self.text('.cm-content')), 'document.getElementById("back")'
        for width in (390, 1280):
            self.page.size(width)
            self.choose('#program=1-hello-threads')
            self.edit('number[i] = i;', 'number[i] = %d;' % width)
            mine = 'number[i] = %d;' % width
            self.page.run('document.getElementById("program").value = "2-add", document.getElementById("program").onchange()')
            self.expect('%d: the address follows the program' % width, self.until('location.hash.startsWith("#program=2-add&")', 5), self.page.run('location.hash'))
            self.expect('%d: and its file' % width, 'vectors' in content() or '2-add' in self.text('#file'), content())
            self.page.run('history.back()')
            self.expect('%d: Back leads to the program before, as it was left' % width, self.until('document.querySelector(".cm-content").textContent.includes(%s)' % json.dumps(mine), 5), content())
            self.open(self.page.run('location.hash'))
            self.expect('%d: so does a reload' % width, mine in content(), content())
            self.resets(width, mine)
            self.page.run('document.getElementById("share").click()')
            self.until('location.hash.includes("edits=")', 10)
            shared = self.page.run('location.hash')
            self.edit(mine, mine + ' // later')
            self.open(self.page.run('location.hash'))
            self.expect('%d: what is typed after Share is kept' % width, '// later' in content(), content())
            self.open(shared)
            self.expect('%d: the shared address has its own text' % width, mine in content() and '// later' not in content(), content())
            self.page.run(back + '.click()')
            self.expect('%d: and the reader\'s is not lost' % width, '// later' in content(), content())
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, 'theirs.cu')
                with open(path, 'w', encoding='utf-8', newline='') as file:
                    file.write('int main(void) { return %d; }\r\n' % width)
                self.give('#opened', path)
                self.expect('%d: a file is opened as a program of your own' % width,
                            self.until('document.getElementById("program").value === "empty" && document.querySelector(".cm-content").textContent.includes("return %d")' % width, 5), content())
            self.page.run('(() => { ' + SAVED + 'document.getElementById("file_out").click(); })()')
            self.expect('%d: and saved' % width, self.until('window.saved === "int main(void) { return %d; }\\n"' % width, 5), self.page.run('window.saved'))

    def resets(self, width, mine):
        for button, there, said in (('undo', False, 'Reset to the original.'), ('back', True, 'Your text is back.')):
            self.page.run('document.getElementById("%s").click()' % button)
            self.expect('%d: %s' % (width, said), (mine in self.page.run(VIEW + '.state.doc.toString()'), self.text('#said')) == (there, said), self.text('#said'))

    def headers(self):
        """The headers of C++ that beginners use."""
        self.choose('#program=empty')
        usual = 'vector iostream string algorithm random chrono memory numeric array map functional curand.h'.split()
        self.whole(json.dumps(''.join('#include <%s>\n' % name for name in usual) + '''
            __global__ void twice(int *x) { x[threadIdx.x] *= 2; }
            int main()
            {
                std::vector<int> some(32);
                std::iota(some.begin(), some.end(), 1);
                int *x;
                cudaMalloc(&x, some.size() * sizeof(int));
                cudaMemcpy(x, some.data(), some.size() * sizeof(int), cudaMemcpyHostToDevice);
                twice<<<1, 32>>>(x);
                cudaMemcpy(some.data(), x, some.size() * sizeof(int), cudaMemcpyDeviceToHost);
                cudaFree(x);
                try { std::cout << std::accumulate(some.begin(), some.end(), 0) << std::endl; } catch (const std::exception &) { }
                void *large, *much;
                if (cudaMalloc(&large, 250 << 20) != cudaSuccess || cudaFree(large) != cudaSuccess) return 2;
                return cudaMalloc(&much, 1 << 29) != cudaErrorMemoryAllocation;
            }'''))
        said = self.run()
        self.expect('a program with the usual headers of C++ runs', said.startswith('No fault. Exit status 0') and '1056' in self.text('#output'), said + self.text('#output'))
        self.at_widths('what became of it', '#said')
        self.expect('cudaMalloc states the limit of the page', re.search(r'mine.cu:28: cudaMalloc fails: it asks for 536870912 bytes, and 0 are in use. A web page has 320 MB', self.text('#output')), self.text('#output'))

    def keyboard(self):
        self.choose('#program=1-hello-threads')
        self.page.run('document.querySelector("header a").focus()')
        focus = 'document.activeElement.id || document.activeElement.className'
        seen = []
        for _ in range(20):
            self.key('Tab', 9)
            seen.append(self.page.run(focus))
            if 'cm-content' in seen[-1]:
                break
        self.expect('Tab reaches the choices, Run and the editor', {'program', 'rules', 'run'} < set(seen) and 'cm-content' in seen[-1], seen)
        self.key('Enter', 13, modifiers=2)
        self.expect('Ctrl+Enter runs', self.until('document.getElementById("said").textContent.startsWith("No fault")', 120), self.text('#said'))
        self.key('Escape', 27)
        self.key('Tab', 9)
        self.expect('Esc and Tab leave the editor', 'cm-content' not in self.page.run(focus), self.page.run(focus))

    def whole(self, script):
        """The editor gets another text."""
        self.page.run('(() => { const view = ' + VIEW + ';'
                      'view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: %s } }); })()' % script)

    def give(self, selector, file):
        """Chooses a file for an input."""
        node = self.page.call('DOM.querySelector', nodeId=self.page.call('DOM.getDocument')['root']['nodeId'], selector=selector)['nodeId']
        self.page.call('DOM.setFileInputFiles', nodeId=node, files=[file])

    def in_view(self, what, selector):
        box = self.page.run('(box => [box.top, box.bottom, innerHeight])(document.querySelector(%s).getBoundingClientRect())' % json.dumps(selector))
        self.expect('%s is in the window' % what, -1 <= box[0] and box[1] <= box[2] + 1, box)

    def at_widths(self, what, selector):
        """On a phone and in a wide window."""
        for width in (390, 1280):
            self.page.size(width)
            self.page.run('scrollTo(0, 0)')
            self.in_view('%d: %s' % (width, what), selector)

    def press(self, width, name, words):
        """A button whose output is far below it, and comes into the window."""
        self.page.run('scrollTo(0, 0), document.getElementById("%s").click()' % name)
        self.expect('%d: there is a %s' % (width, name), self.until('document.getElementById("output").textContent.includes(%s)' % json.dumps(words), 10), self.text('#output'))
        self.in_view('%d: the %s' % (width, name), '#output')

    def verdict(self, width):
        self.page.run('scrollTo(0, 0)')
        said = self.run(180)
        self.in_view('%d: the verdict' % width, '#output')
        return said

    def exercise(self, width):
        self.choose('#program=06-first-kernel')
        self.expect('an exercise shows its task', self.until('document.getElementById("task_text").textContent.includes("You will learn")', 20), self.text('#task_text'))
        chapter = self.page.run('document.getElementById("chapter").getAttribute("href")')
        self.expect('and leads to its chapter', re.fullmatch(r'\.\./steps/06-[^/]+/index\.html', chapter), chapter)
        said = self.verdict(width)
        self.expect('what one starts from is not yet right', said.startswith('Not yet'), said)
        self.expect('and the lab says why', 'not yet: wrong on m = ' in self.text('#output'), self.text('#output'))
        self.press(width, 'hint', 'Hint 1 of 3')
        self.press(width, 'solution', 'YOUR CODE')
        self.whole('"// mine\\n" + document.getElementById("output").textContent')
        said = self.verdict(width)
        self.expect('the solution passes', said.startswith('Passed'), self.text('#output'))
        self.expect('the list says so', self.page.run('document.querySelector("option[value=\'06-first-kernel\']").textContent.startsWith("✓")'))
        self.page.run(SAVED + 'document.getElementById("progress_out").click()')
        self.expect('the progress is saved as a file', self.until('(window.saved || "").includes("06-first-kernel\tpass")', 5), self.page.run('window.saved'))
        with tempfile.TemporaryDirectory() as folder:
            lab = os.path.join(os.path.abspath(sys.argv[1]), '..', '..', 'bin', 'lab')
            if os.path.exists(lab):
                with open(os.path.join(folder, 'progress'), 'w', encoding='utf-8') as file:
                    file.write(self.page.run('window.saved'))
                listed = subprocess.run([lab, 'list'], env={**os.environ, 'LADDER_LAB': folder}, capture_output=True, text=True, check=False).stdout
                self.expect('which ./ladder lab reads', '[x] 06-first-kernel' in listed and '[ ] 01-row-order' in listed, listed)
            other = os.path.join(folder, 'other')
            with open(other, 'w', encoding='utf-8') as file:
                file.write('2026-01-02T03:04:05Z\t01-row-order\tstart\n2026-01-02T03:14:05Z\t01-row-order\tpass\n')
            self.give('#progress_file', other)
            self.expect('and one of ./ladder lab is loaded', self.until('document.querySelector("option[value=\'01-row-order\']").textContent.startsWith("✓")', 10))
        self.expect('the page names the exercises with goals in time', '(01-row-order, 02-packed-block)' in self.text('#progress_says'), self.text('#progress_says'))
        self.resets(width, '// mine')

    def exercise_in_c(self, width):
        self.choose('#program=04-without-padding')
        self.press(width, 'hint', 'Hint 1 of')
        self.press(width, 'solution', 'YOUR CODE')
        self.whole('"// mine\\n" + document.getElementById("output").textContent.replace("YOUR CODE", "YOUR CODE: ").replace(/(YOUR CODE.*)/, "$1\\n    int x = y;")')
        said = self.verdict(width)
        self.expect('an exercise on the processor is compiled', said.startswith('Not yet') and "undeclared identifier 'y'" in self.text('.fault'), self.text('#output'))
        self.edit('int x = y;', '')
        said = self.verdict(width)
        self.expect('and passes', said.startswith('Passed'), self.text('#output'))
        self.resets(width, '// mine')

    def phone(self):
        self.page.size(390)
        self.phone_shows('in 390 pixels')
        self.choose('#program=06-first-kernel')
        self.until('!document.getElementById("task").hidden', 20)
        self.phone_shows('with an exercise')
        self.paper('on paper, from a phone,')

    def phone_shows(self, when):
        wide = self.page.run('document.documentElement.scrollWidth - innerWidth')
        self.expect('%s nothing sticks out' % when, wide <= 0, wide)
        small = self.page.run('[...document.querySelectorAll("button, select, input")].filter(e => e.getClientRects().length && e.getBoundingClientRect().height < 32).map(e => e.id)')
        self.expect('%s all is large enough for a thumb' % when, not small, small)


PARTS = ('first_run', 'offline', 'picture', 'heat', 'pair', 'steps', 'compact', 'seed', 'fault', 'error', 'endless', 'bomb', 'crash', 'share', 'keeps', 'headers',
         'keyboard', 'phone', 'policy')
IN_FIREFOX = ('first_run', 'picture', 'pair', 'steps', 'fault', 'endless', 'share')


def main():
    in_firefox = '--firefox' in sys.argv
    site, *parts = (word for word in sys.argv[1:] if word != '--firefox')
    site, kind = os.path.abspath(site), firefox if in_firefox else chromium
    program = kind.find()
    if not program:
        print('skipped: there is no browser here (Debian: apt-get install %s)' % ('firefox-esr' if in_firefox else 'chromium'))
        return 77
    if not os.path.exists(os.path.join(site, 'playground', 'index.html')):
        log = os.path.join(os.path.dirname(site), 'playground.log')
        if os.path.exists(log):  # tools/scripts/docs tried
            print('the playground could not be made:', *open(log).readlines()[-5:])
            return 1
        print('skipped: no playground in %s; ./ladder docs makes it where node and npm are' % site)
        return 77
    begun = time.monotonic()
    with kind.Browser(program) as page:
        if not in_firefox:
            page.show(True)
        page.size(1280)
        if not in_firefox:
            page.call('Network.enable')
        test = Playground(page, browser.serve(site, Server))
        for part in parts or (IN_FIREFOX if in_firefox else PARTS):
            getattr(test, part)()
        test.complaints('at the end')
        if not in_firefox:
            test.buttons(site)
        page.open('file://' + os.path.join(site, 'playground', 'index.html'))
        test.expect('opened as a file it says what to do', './ladder docs --serve' in page.run('document.getElementById("served").innerText'))
    print('%.0f s: %d wrong' % (time.monotonic() - begun, test.wrong))
    return 1 if test.wrong else 0


if __name__ == '__main__':
    sys.exit(main())
