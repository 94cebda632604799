#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""port.py LADDER: ./ladder docs --serve refuses a port that is none or is taken before it makes anything."""
import os
import socket
import subprocess
import sys
import tempfile

failed = 0
with tempfile.TemporaryDirectory() as folder, socket.create_server(('127.0.0.1', 0)) as taken:
    build = os.path.join(folder, 'build')
    port = str(taken.getsockname()[1])
    for word, status, says in ((port, 3, f'port {port} is taken'),
                               ('0', 2, "takes a port from 1 to 65535, not '0'"),
                               ('65536', 2, "takes a port from 1 to 65535, not '65536'"),
                               ('080', 2, "not '080'"),
                               ('http', 2, "not 'http'")):
        run = subprocess.run([sys.argv[1], 'docs', '--serve', word], env={**os.environ, 'LADDER_BUILD': build},
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        if run.returncode != status or says not in run.stderr or os.path.exists(build):
            print(f'FAILED: --serve {word}: status {run.returncode}, wanted {status} and "{says}":\n{run.stderr}')
            failed = 1
sys.exit(failed)
