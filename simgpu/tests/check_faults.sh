#!/bin/sh
# check_faults.sh SOURCE TRACED PLAIN: runs each program of faults.cu, in its traced build also with threads in another
# order. Checks the diagnosis: its kind and line ("planted: NAME" in the source), the error code, and the exit status.
export COLUMNS=1000 # lines are not broken
source=$1 traced=$2 plain=$3 programs=0 failed=0

check() { # BUILD [SEED]
    said=$("$1" "$name" "$2" 2>&1)
    status=$? wanted= problem=
    line=$(sed -n "/planted: $name\$/=" "$source")
    [ -z "$kind" ] || wanted="${line:+$(basename "$source"):$line: }fault: $kind"
    [ "$status" -eq "$([ -z "$kind" ]; echo $?)" ] || problem="the exit status is $status"
    [ "$(printf '%s\n' "$said" | grep -c 'fault: ')" -eq "$([ -z "$kind" ]; echo $?)" ] || problem="not one fault, or one too many"
    case $said in *"$wanted"*) ;; *) problem="the diagnosis is missing" ;; esac
    case $said in *"$error"* | *"null pointer"*) ;; *) problem="the error code is wrong" ;; esac
    [ -z "$problem" ] && return
    printf '%s %s: %s; expected "%s"\n%s\n' "$1" "$name" "$problem" "$wanted" "$said"
    failed=1
}

list=$("$traced")
while IFS='|' read -r name kind error; do
    programs=$((programs + 1))
    check "$traced"
    check "$traced" 17
    check "$plain"
done <<END
$list
END
echo "$programs programs: $([ $failed = 0 ] && echo "each fault is diagnosed" || echo FAILED)"
[ $programs -gt 0 ] && exit $failed
