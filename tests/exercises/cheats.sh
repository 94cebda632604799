#!/bin/sh
# cheats.sh BUILD FILE: each cheat of the file is rejected, and for its own reason. A file is read so:
#
#   == NAME in EXERCISE        begins a cheat: what follows stands in the exercise's first marked region
#   == NAME in EXERCISE edit   the same, but what follows are commands of sed for the whole solution
#   expect: REGEX              a line of the check's answer
#   seconds: N                 how long it may run: for a cheat that never ends
#   @MULTIPLY@                 a right product, on the processor
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
export LADDER_BUILD="$1" LADDER_LAB_BUILT=yes OMP_WAIT_POLICY=passive
work=$(mktemp -d "${TMPDIR:-/tmp}/cheats.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
export LADDER_LAB="$work/lab"
lab=$LADDER_BUILD/bin/lab
cat >"$work/multiply" <<'X'
for (long i_ = 0; i_ < p->m; i_++)
    for (long j_ = 0; j_ < p->n; j_++) {
        c[i_ * p->ldc + j_] = 0;
        for (long l_ = 0; l_ < p->k; l_++)
            c[i_ * p->ldc + j_] += a[i_ * p->lda + l_] * b[l_ * p->ldb + j_];
    }
X
cheats=0 problems=0

# judge: the cheat in $name, $exercise, $how, $expected and the file body.
judge() {
    [ -n "$name" ] || return 0
    cheats=$((cheats + 1))
    suffix=c
    [ ! -f "$root/exercises/$exercise/source.cu" ] || suffix=cu
    solution=$work/$exercise.$suffix
    [ -f "$solution" ] || "$lab" solution "$exercise" --anyway >"$solution" || exit 1
    if [ "$how" = edit ]; then
        sed -f "$work/body" "$solution" >"$work/cheat.$suffix"
        ! cmp -s "$solution" "$work/cheat.$suffix" || echo "PROBLEM: $name changes nothing"
    else
        sed -e "/@MULTIPLY@/{r $work/multiply" -e 'd;}' "$work/body" >"$work/full"
        awk -v body="$work/full" '
            !done && /\/\* YOUR CODE/ { print; while ((getline line < body) > 0) print line; skipping = done = 1 }
            /\/\* END \*\// { skipping = 0 }
            !skipping { print }' "$solution" >"$work/cheat.$suffix"
    fi
    if grep -q '@ZERO@' "$work/cheat.$suffix"; then
        tr '@' '\000' <"$work/cheat.$suffix" >"$work/zero" && mv "$work/zero" "$work/cheat.$suffix"
    fi
    said=$(LADDER_LAB_SECONDS=$seconds "$lab" check "$exercise" "$work/cheat.$suffix" --seed 1 --no-gpu 2>&1)
    status=$?
    if [ $status -ne 1 ] || ! printf '%s\n' "$said" | grep -Eq -- "$expected"; then
        problems=$((problems + 1))
        printf 'PROBLEM: %s: status %s, expected 1 and: %s\n%s\n\n' "$name" $status "$expected" "$said"
    fi
}

name=''
while IFS= read -r line; do
    case $line in
    '== '*)
        judge
        # shellcheck disable=SC2086 # words
        set -- ${line#== }
        name=$1 exercise=$3 how=${4-} expected='' seconds=''
        : >"$work/body" ;;
    'expect: '*) expected=${line#expect: } ;;
    'seconds: '*) seconds=${line#seconds: } ;;
    *) [ -z "$name" ] || printf '%s\n' "$line" >>"$work/body" ;;
    esac
done <"$2"
judge
echo "$cheats cheats, $problems problems"
[ $cheats -gt 10 ] && [ $problems -eq 0 ]
