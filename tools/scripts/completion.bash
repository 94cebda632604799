# SPDX-License-Identifier: MIT
# Bash completes ./ladder's commands, steps and exercises after `. tools/scripts/completion.bash`.
_ladder() {
    local here word=${COMP_WORDS[COMP_CWORD]} words=''
    here=$(dirname -- "${COMP_WORDS[0]}")
    case $COMP_CWORD/${COMP_WORDS[1]} in
    1/*) words=$(sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' "$here/tools/scripts/usage.txt") ;;
    2/run | 2/test) words=$(cd "$here/steps" && printf '%s\n' [0-9]*) ;;
    2/lab) words='list start check hint score watch reset' ;;
    3/lab) words=$(cd "$here/exercises" && printf '%s\n' [0-9]*) ;;
    2/help) words=$(sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' "$here/tools/scripts/usage.txt") ;;
    */run) words=$("$here/ladder" run "${COMP_WORDS[2]}" --help 2>/dev/null | sed -n 's/^ *\(--[a-z-]*\).*/\1/p') ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _ladder ./ladder ladder
