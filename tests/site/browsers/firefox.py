# SPDX-License-Identifier: MIT
"""A headless Firefox, spoken to with its Marionette protocol over a socket: Python's standard library is enough."""
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

from . import chromium


def find():
    """Firefox's program, or None."""
    for name in (os.environ.get('FIREFOX'), 'firefox-esr', 'firefox'):
        if name and shutil.which(name):
            return shutil.which(name)
    return None


class Browser:
    """One page, used as a page of chromium.Browser; it does not report the browser's complaints."""

    def __init__(self, program):
        self.home, self.events, self.buffer, self.number = tempfile.mkdtemp(prefix='ladder-firefox-'), [], b'', 0
        with open(os.path.join(self.home, 'user.js'), 'w', encoding='utf-8') as file:
            file.write('user_pref("marionette.port", 0);\nuser_pref("datareporting.policy.dataSubmissionEnabled", false);\n'
                       'user_pref("app.update.enabled", false);\n')
        self.process = subprocess.Popen([program, '--headless', '--marionette', '--no-remote', '--profile', self.home],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        env={**os.environ, 'HOME': self.home}, start_new_session=True)
        try:
            self.socket = self.connect(120)
            self.answer()  # who it is
            self.call('NewSession', capabilities={'alwaysMatch': {'timeouts': {'script': 600000, 'pageLoad': 120000}}})
        except (OSError, chromium.Failed):
            self.__exit__()
            raise

    def connect(self, seconds):
        """It writes the port that it has chosen into a file."""
        until, path = time.monotonic() + seconds, os.path.join(self.home, 'MarionetteActivePort')
        while time.monotonic() < until and self.process.poll() is None:
            if os.path.exists(path) and os.path.getsize(path):
                with open(path, encoding='utf-8') as file:
                    made = socket.create_connection(('127.0.0.1', int(file.read())))
                    made.settimeout(600)
                    return made
            time.sleep(0.2)
        raise chromium.Failed('Firefox did not start')

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.terminate()
        self.process.wait(20)
        shutil.rmtree(self.home, ignore_errors=True)

    def answer(self):
        """A message: its length, a colon, JSON."""
        def more():
            part = self.socket.recv(1 << 16)
            if not part:
                raise chromium.Failed('Firefox ended')
            self.buffer += part
        while b':' not in self.buffer:
            more()
        length, self.buffer = self.buffer.split(b':', 1)
        while len(self.buffer) < int(length):
            more()
        text, self.buffer = self.buffer[:int(length)], self.buffer[int(length):]
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        text = json.dumps([0, self.number, 'WebDriver:' + method, parameters]).encode()
        self.socket.sendall(b'%d:%s' % (len(text), text))
        _, _, error, result = self.answer()
        if error:
            raise chromium.Failed('%s: %s' % (method, error.get('message')))
        return result

    def size(self, width, height=900):
        self.call('SetWindowRect', width=width, height=height)

    def open(self, address):
        self.call('Navigate', url=address)

    def run(self, script):
        """The value of an expression in the page; a promise is waited for."""
        return self.call('ExecuteScript', script='return ' + script, args=[], sandbox=None).get('value')
