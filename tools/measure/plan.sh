# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# tools/measure/plan.sh: what the scripts that measure in parts share; they read it with `.`. $parts are the
# parts that are wanted; what plan() has collected is measured by run() into one results file.
wanted() { case " $parts " in *" $1 "*) return 0 ;; esac; return 1; } # PART
planned=''
plan() { planned="$planned${planned:+ -- }$*"; } # PROGRAM OPTIONS...
run() { # NAME; $status is 1 where one failed
    # shellcheck disable=SC2086 # words of commands
    set -- "$1" $planned
    planned=''
    tools/measure/programs "$@" || { status=1 && return 1; }
}
