#!/bin/sh
# SPDX-License-Identifier: MIT
# unlisted.sh PROGRAM 'A|B|...': the program's --help lists none of these options.
help=$("$1" --help) || { echo "FAILED: $1 --help"; exit 1; }
printf '%s\n' "$help" | grep -q '^  --n ' || { echo "FAILED: --help lists no options"; exit 1; }
! printf '%s\n' "$help" | grep -E "^  --($2) " || { echo "FAILED: --help lists what is above"; exit 1; }
