# SPDX-License-Identifier: MIT
"""A headless Chromium, spoken to with its DevTools protocol over a pipe: Python's standard library is enough."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
import zlib


def find():
    """Chromium's program, or None."""
    for name in (os.environ.get('CHROMIUM'), 'chromium', 'chromium-browser', 'google-chrome'):
        if name and shutil.which(name):
            return shutil.which(name)
    return None


class Failed(Exception):
    """The browser refused a command, or did not answer in time."""


class Browser:
    """Two pages of a headless Chromium, of which one is painted; see show(). Events that nobody waited for are kept in
    `events`."""

    def __init__(self, program):
        self.home = tempfile.mkdtemp(prefix='ladder-chromium-')
        ours, its = os.pipe(), os.pipe()  # it reads from `ours` and writes to `its`
        self.out, self.into = ours[1], its[0]

        def plumb():  # the protocol is spoken on descriptors 3 and 4
            read_end, write_end = os.dup(ours[0]), os.dup(its[1])
            os.dup2(read_end, 3)
            os.dup2(write_end, 4)
        self.process = subprocess.Popen(
            [program, '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars',
             '--no-first-run', '--disable-extensions', '--disable-background-networking', '--remote-debugging-pipe',
             '--disable-background-timer-throttling', '--disable-renderer-backgrounding',
             '--force-color-profile=srgb', '--user-data-dir=' + self.home, 'about:blank'],
            preexec_fn=plumb, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL, start_new_session=True)
        os.close(ours[0])
        os.close(its[1])
        self.buffer, self.number, self.events, self.session = b'', 0, [], None
        self.sessions = {hidden: self.new_page(hidden) for hidden in (True, False)}

    def new_page(self, hidden):
        self.session = None
        target = self.call('Target.createTarget', url='about:blank', hidden=hidden)['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Log'):  # what cannot be fetched is logged
            self.call(domain + '.enable')
        return self.session

    def show(self, shown):
        """What follows is for the page that is painted, or for the one that is not: it is laid out and its scripts
        run as in the other, but for those that wait for a frame, in half the time."""
        self.session = self.sessions[not shown]

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.terminate()
        self.process.wait(10)
        os.close(self.out)
        os.close(self.into)
        shutil.rmtree(self.home, ignore_errors=True)

    def message(self, until):
        """The browser's next message, or None when the time is over."""
        while b'\0' not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.into], [], [], left)[0]:
                return None
            part = os.read(self.into, 1 << 20)
            if not part:
                raise Failed('the browser ended')
            self.buffer += part
        line, self.buffer = self.buffer.split(b'\0', 1)
        return json.loads(line)

    def call(self, method, seconds=30, **parameters):
        """A command's answer."""
        self.number += 1
        command = {'id': self.number, 'method': method, 'params': parameters}
        if self.session:
            command['sessionId'] = self.session
        os.write(self.out, json.dumps(command).encode() + b'\0')
        until = time.monotonic() + seconds
        while True:
            answer = self.message(until)
            if answer is None:
                raise Failed('%s: no answer in %d seconds' % (method, seconds))
            if answer.get('id') == self.number:
                if 'error' in answer:
                    raise Failed('%s: %s' % (method, answer['error'].get('message')))
                return answer['result']
            if 'method' in answer:
                self.events.append(answer)

    def wait(self, event, seconds=30):
        """Until this event came."""
        until = time.monotonic() + seconds
        while not any(e['method'] == event for e in self.events):
            answer = self.message(until)
            if answer is None:
                raise Failed('%s did not come in %d seconds' % (event, seconds))
            if 'method' in answer:
                self.events.append(answer)

    def size(self, width, height=900):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=False)

    def dark(self, dark):
        self.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])

    def open(self, address):
        """Goes to a page and returns when it has loaded."""
        self.events = []
        error = self.call('Page.navigate', url=address).get('errorText')
        if error:
            raise Failed('%s: %s' % (address, error))
        self.wait('Page.loadEventFired')

    def run(self, script, seconds=30):
        """The value of an expression in the page; a promise is waited for."""
        answer = self.call('Runtime.evaluate', seconds, expression=script, awaitPromise=True, returnByValue=True)
        if 'exceptionDetails' in answer:
            details = answer['exceptionDetails']
            raise Failed(details.get('exception', {}).get('description') or details['text'])
        return answer['result'].get('value')

    def pixel(self, x, y):
        """The colour at a place of the page."""
        clip = {'x': int(x), 'y': int(y), 'width': 1, 'height': 1, 'scale': 1}
        data = base64.b64decode(self.call('Page.captureScreenshot', format='png', clip=clip, captureBeyondViewport=True)['data'])
        at, packed = 8, b''
        while at < len(data):  # a PNG's parts: length, name, content, check sum
            end = at + 8 + int.from_bytes(data[at:at + 4], 'big')
            packed += data[at + 8:end] if data[at + 4:at + 8] == b'IDAT' else b''
            at = end + 4
        return list(zlib.decompress(packed)[1:4])
