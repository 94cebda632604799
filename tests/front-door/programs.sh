#!/bin/sh
# SPDX-License-Identifier: MIT
# programs.sh BUILD: ./ladder tour, run and test with the programs that were really built there.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2016
. "$(dirname "$0")/lib.sh"
LADDER_BUILD=$1
export LADDER_BUILD
# Nothing is installed or built by a test.
PATH=$bin:$PATH
echo 'exit 100' | stub apt-get
stub cmake <<'X'
case $1 in
--version) echo 'cmake version 3.25.1' ;;
*) echo 'ninja: no work to do.' ;;
esac
X
ladder() {
    (cd / && "$root/ladder" "$@" </dev/null >"$stage/out" 2>"$stage/err")
    status=$?
    out=$(cat "$stage/out")
    err=$(cat "$stage/err")
    called="ladder $*"
}

gives 0 tour --n 24 --out "$stage/results"
prints '^01-cpu-naive +the triple loop'
lines=$stage/results/tour.jsonl
for field in step variant backend device precision m n k levels tau1 tau2 reps ms_median ms_min ms_max \
    gflops reference reference_ms_median ratio max_error mean_error error_bound passed \
    workspace_bytes transactions volume_bytes model_transactions model_volume_bytes; do
    [ "$(grep -c "[{,]\"$field\":" "$lines")" -eq "$(grep -c . "$lines")" ] || fail "a line without $field"
done
! grep '"backend":"sim"' "$lines" | grep -E '"(ms_median|ms_min|ms_max|gflops|reference_ms_median|ratio)":[0-9]' ||
    fail 'the simulated GPU has no times'
! grep -v '^{.*"n":24,.*"passed":true.*}$' "$lines" || fail 'not every line is one right result'
for program in "$LADDER_BUILD"/bin/[0-9][0-9]-*; do
    step=$(basename "$program" .sim)
    [ ! -d "$root/steps/$step" ] || prints "^$step  [^ ]"
    [ ! -d "$root/steps/$step" ] || grep -q "\"step\":\"$step\"" "$lines" ||
        prints "^skipped: $step: ." || fail "$step is nowhere"
done
prints '^Ran on .*: steps 01'
if [ -e "$stage/results/tour.svg" ]; then
    grep -q '01-cpu-naive' "$stage/results/tour.svg" || fail 'the plot lacks a step'
    grep -q '</svg>' "$stage/results/tour.svg" || fail 'half a plot'
else
    prints 'no plot'
fi

gives 0 run 1 --n 8 --json
[ "$(printf '%s\n' "$out" | grep -c '^{"step":"01-cpu-naive".*}$')" -eq "$(printf '%s\n' "$out" | grep -c .)" ] ||
    fail 'more than JSON on standard output'
answers 2 '^--n takes' run 1 --n 0

if [ -x /usr/bin/python3 ] || command -v python3 >/dev/null; then
    gives 0 paper 14
    prints '^ +ours +7n\^3/4 \+ 2n\^2 +119n\^3/32768 \+ 29n\^2/64 +63n\^3/256 \+ 41n\^2 *$'
    gives 0 paper 12 --measure
    prints '12-strassen-one-level strassen, n = 256, levels = 1: right; counted .* as the model says'
    answers 2 "there is no '99'" paper 99
    answers 2 '--out needs a value' bench --out
fi

answers 2 "no tests with the label 'nosuchlabel'; labels: .*cpu" test nosuchlabel
end
