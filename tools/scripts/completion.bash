# SPDX-License-Identifier: MIT
# Bash and zsh complete ./ladder's commands, steps, exercises and options after `. tools/scripts/completion.bash`.
[ -z "${ZSH_VERSION-}" ] || { autoload -U +X compinit bashcompinit && compinit && bashcompinit; }
_ladder() {
    local here word=${COMP_WORDS[COMP_CWORD]} words=''
    here=$(dirname -- "${COMP_WORDS[0]}")
    case $COMP_CWORD/${COMP_WORDS[1]} in
    1/*) words=$(sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' "$here/tools/scripts/usage.txt") ;;
    2/run | 2/test) words=$(cd "$here/steps" && printf '%s\n' [0-9]*) ;;
    2/lab) words='list start check hint solution run picture debug reset export score' ;;
    3/lab) words=$(cd "$here/exercises" && printf '%s\n' [0-9]*) ;;
    2/help) words=$(sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' "$here/tools/scripts/usage.txt") ;;
    */sim) case $word in -*) words=$("${LADDER_BUILD:-$here/build}/simgpu/sim" --help 2>/dev/null | sed -n 's/^ *\(--[a-z-]*\).*/\1/p') ;; esac ;;
    */run) words=$("$here/ladder" run "${COMP_WORDS[2]}" --help 2>/dev/null | sed -n 's/^ *\(--[a-z-]*\).*/\1/p') ;;
    esac
    # shellcheck disable=SC2207 # words without blanks; zsh has no mapfile
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _ladder ./ladder ladder
