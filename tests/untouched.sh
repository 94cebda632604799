#!/bin/sh
# SPDX-License-Identifier: MIT
# untouched.sh COMMAND [ARGUMENT]...: runs the command, which must not create, rename or delete a file in the folders of
# pages and sources: other tests read these at the same time.
set -eu
cd "$(dirname "$0")/.."
folders() { find README.md docs exercises simgpu steps tests tools -type d -exec stat -c '%.9Y %n' {} +; }
before=$(folders)
"$@"
after=$(folders)
[ "$before" = "$after" ] || {
    echo "WRONG: $1 changed these folders:"
    printf '%s\n' "$after" | grep -vxF "$before" | cut -d' ' -f2-
    exit 1
}
