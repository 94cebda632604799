#!/bin/sh
# SPDX-License-Identifier: MIT
# threads.sh PROGRAM: with --threads all a program takes as many threads as it may use processors.
program=$1
unset OMP_NUM_THREADS OMP_THREAD_LIMIT # nproc looks at them
takes() { # THREADS COMMAND...
    expected=$1
    shift
    output=$("$@" "$program" --n 8 --variant ikj --untimed --json --threads all) || exit 1
    case $output in *"\"threads\":$expected,"*) ;; *) echo "FAILED: not $expected threads: $output" && exit 1 ;; esac
}
takes "$(nproc)" env
takes "$(nproc)" env OMP_NUM_THREADS=99999
if command -v taskset >/dev/null; then
    first=$(taskset -c -p $$ | sed 's/.*: *\([0-9]*\).*/\1/')
    takes 1 taskset -c "$first"
fi
