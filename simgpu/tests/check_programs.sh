#!/bin/bash
# SPDX-License-Identifier: MIT
# check_programs.sh [-s SEEDS] SIM SCRATCH FOLDER A.cu...: runs small programs of a folder under `ladder sim` and compares the output
# with the marks in the source of each:
#   // planted: KIND   this line, and no other, has the fault; without it the program is right
#   // planted below: KIND   the fault is in a function that this line calls
#   // says: REGEX     the message contains this
#   // not said: REGEX  it does not contain this
#   // options: ...     options of ladder sim
#   // mended: ...      with these options, which apply what is advised, the program is right
#   // faults: 2        this many faults are named, not one
#   // error: REGEX     the program does not compile, and this is printed about this line
# With -s each program is run in that many orders of its threads and copies: a right one has no fault in any, and the
# fault of another one is named in at least one.
set -u
seeds=0 failed=0
[ "$1" != -s ] || { seeds=$2 && shift 2; }
sim=$1 scratch=$2 folder=$3
shift 3
export TMPDIR=$scratch COLUMNS=1000 # lines are not broken

wrong() { # WHAT: reports it with what was said
    printf '%s: %s; status %s:\n%s\n%s\n' "$name" "$1" "$status" "$out" "$said"
    failed=1
}
marks() { sed -n "s|$1: ||p" "$folder/$name"; }
run() { # COMMAND...: sets out, said and status
    out=$("$@" 2>"$scratch/$$.said")
    status=$?
    said=$(<"$scratch/$$.said")
}
is_right() { [ $status = 0 ] && [[ $said != *'fault: '* ]]; }
is_named() { [[ $said == *"$planted"* && $said == *"$kind"* ]]; }

in_orders() { # runs the program in different orders
    local seed named=
    run "$sim" -o "$scratch/$name.program" "$folder/$name"
    [ $status = 0 ] || wrong "does not compile"
    for ((seed = 1; seed <= seeds; seed++)); do
        export SIMGPU_SHUFFLE=$seed
        run "$scratch/$name.program"
        [ -n "$planted" ] || is_right || wrong "is right, but not with seed $seed"
        [ -z "$planted" ] || ! is_named || named=yes
    done
    unset SIMGPU_SHUFFLE
    [ -z "$planted" ] || [ -n "$named" ] || wrong "no seed shows $planted"
    rm -f "$scratch/$name.program"
}

check() { # NAME
    local number line text options mended wanted errors=() faults
    name=$1 planted='' kind=''
    wanted=$(marks '.*// faults' | head -1)
    while IFS=: read -r number line; do
        case $line in
        *'// error: '*) errors+=("$name:$number:[^"$'\n'"]*error: ${line#*// error: }") ;;
        *'// planted: '*) kind="fault: $(sed 's|.*// planted: ||; s|[^a-z-].*||' <<<"$line")" planted="$name:$number: $kind" ;;
        *) # the kernel comes there from this line
            kind="fault: $(sed 's|.*// planted below: ||; s|[^a-z-].*||' <<<"$line") " planted="$name:$number:"$'\n' ;;
        esac
    done < <(grep -nE '// (error|planted|planted below): ' "$folder/$name")
    if [ "$seeds" != 0 ]; then
        in_orders
        return
    fi
    read -ra options <<<"$(marks '^// options' | paste -sd' ')"
    run "$sim" "${options[@]}" "$folder/$name"
    faults=$(grep -o 'fault: [a-z-]' <<<"$said" | wc -l)
    if [ ${#errors[@]} != 0 ]; then
        [ $status = 2 ] || wrong "compiles"
        for text in "${errors[@]}"; do [[ $said =~ $text ]] || wrong "not said: $text"; done
    elif [ -z "$planted" ]; then
        is_right || wrong "is right"
    elif ! is_named; then
        wrong "missing: $planted"
    elif [ $status != 1 ] || [ "$faults" != "${wanted:-1}" ]; then
        wrong "$faults faults are named, not ${wanted:-1}"
    fi
    while read -r text; do
        [ -z "$text" ] || [[ $said =~ $text ]] || wrong "not said: $text"
    done <<<"$(marks '.*// says')"
    while read -r text; do
        [ -z "$text" ] || ! [[ $said =~ $text ]] || wrong "said, and false: $text"
    done <<<"$(marks '^// not said')"
    read -ra mended <<<"$(marks '^// mended')"
    [ ${#mended[@]} != 0 ] || return
    run "$sim" "${options[@]}" "${mended[@]}" "$folder/$name"
    is_right || wrong "the advice does not mend it"
}
for program; do check "$program"; done
rm -f "$scratch/$$.said"
exit $failed
