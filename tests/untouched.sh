#!/bin/sh
# SPDX-License-Identifier: MIT
# untouched.sh COMMAND [ARGUMENT]...: runs the command, which must not create, rename or delete a file in the folders of
# pages: other tests read these at the same time.
set -eu
cd "$(dirname "$0")/.."
folders() { stat -c '%.9Y %n' docs docs/results simgpu/docs exercises/* steps/*; }
before=$(folders)
"$@"
after=$(folders)
[ "$before" = "$after" ] || {
    echo "WRONG: $1 changed these folders:"
    printf '%s\n' "$after" | grep -vxF "$before" | cut -d' ' -f2-
    exit 1
}
