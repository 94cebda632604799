#!/bin/sh
# SPDX-License-Identifier: MIT
# bench.sh BENCH: ./ladder bench with programs of our own: measures, goes on where it was stopped, keeps
# revisions apart, compares them with the right marks, and lists what there is.
set -u
bench=$1
stage=$(mktemp -d) || exit 1
trap 'rm -rf "$stage"' EXIT
mkdir -p "$stage/build/bin" "$stage/out folder" || exit 1
out="$stage/out folder"
failed=0
fail() { echo "FAILED: $*"; failed=1; }
program() { # NAME MEDIAN LEAST MOST: prints one result of its size, and logs that it ran
    cat >"$stage/build/bin/$1" <<X
#!/bin/sh
[ "\$*" != "--n 1 --quiet" ] || exit 0
echo "$1 \$*" >>"$stage/log"
[ ! -f "$stage/stop" ] || { kill -TERM \$PPID; sleep 2; }
echo '{"step":"01-x","variant":"v","backend":"cpu","device":"Test 1","precision":"f32","n":'\$2',"levels":0,"reps":5,"ms_median":$2,"ms_min":$3,"ms_max":$4,"ratio":0.5,"passed":true}'
X
    chmod +x "$stage/build/bin/$1"
}
mkdir -p "$stage/tools/scripts" # the sources, whose programs are built
printf '#!/bin/sh\necho "built $*" >>"%s"\n' "$stage/built" >"$stage/tools/scripts/build" && chmod +x "$stage/tools/scripts/build"
measures() { "$bench" --source "$stage" --build "$stage/build" --out "$out" --revision "$1"; }
printf '01-x\tcpu\tf32 f64 i32\t--n 64 --reps 3 --variant v\t-\t-\t-\n02-gone\tcpu\tf32\t--n 64\t-\t-\t-\n' >"$stage/build/steps.tsv"

# Sizes: half of the tour's, the same, and twice the tour's.
program 01-x 2.0 1.9 2.1
measures one >"$stage/said" 2>&1 || fail "status $?: $(cat "$stage/said")"
[ "$(cat "$stage/log")" = '01-x --n 32 --variant v --reps 5 --json
01-x --n 64 --variant v --reps 5 --json
01-x --n 128 --variant v --reps 5 --json' ] || fail "ran: $(cat "$stage/log")"
[ "$(cat "$stage/built")" = "built $stage/build timed-programs" ] || fail "built: $(cat "$stage/built")"
file=$(ls "$out"/*.jsonl) || fail 'no results file'
grep -q '^\[2/3\] 01-x --n 64 .*left: ' "$stage/said" || fail "no progress: $(cat "$stage/said")"

# A result that is stored is not measured again.
: >"$stage/log"
measures one >"$stage/said" 2>&1
[ ! -s "$stage/log" ] || fail "measured again: $(cat "$stage/log")"
grep -q '3 of them are there already' "$stage/said" || fail "does not say what is there: $(cat "$stage/said")"

# If it is stopped in its first program, it keeps nothing, and repeats this program later.
program 01-x 1.0 0.9 1.1
touch "$stage/stop"
measures two >"$stage/said" 2>&1
[ $? -eq 143 ] || fail "stopped, but: $(cat "$stage/said")"
grep -q 'The same command goes on' "$stage/said" || fail "does not say how to go on: $(cat "$stage/said")"
[ "$(grep -c '"revision":"two"' "$file")" -eq 0 ] || fail 'half a measurement was kept'
rm "$stage/stop"
measures two >/dev/null 2>&1 || fail 'does not go on'
[ "$(grep -c '"revision":"two"' "$file")" -eq 3 ] || fail 'revision two is not complete'

# A result is marked if it is twice as fast and the runs do not overlap. Runs that overlap, or too few runs, get no mark.
"$bench" --compare "$file@one" "$file@two" >"$stage/said" || fail 'does not compare'
[ "$(grep -c '2.000     1.000  2.000 \*' "$stage/said")" -eq 3 ] && ! grep -v '^[AB]: ' "$stage/said" | grep '.\{101\}' || fail "compared: $(cat "$stage/said")"
grep -q 'B is faster in 3, slower in 0,$' "$stage/said" || fail "summed up: $(cat "$stage/said")"
sed 's/"ms_max":1.1/"ms_max":1.95/' "$file" >"$stage/overlap.jsonl"
"$bench" --compare "$file@one" "$stage/overlap.jsonl@two" | grep -q '^and in 3 the runs do not decide' || fail 'runs that overlap tell'
sed 's/"reps":5/"reps":3/' "$file" >"$stage/three.jsonl"
"$bench" --compare "$stage/three.jsonl@one" "$stage/three.jsonl@two" | grep -q '^and in 3 the runs do not decide' || fail 'three runs tell'
"$bench" --compare "$file@one" "$file@three" >/dev/null 2>"$stage/said"
[ $? -eq 3 ] && grep -q 'no times in .* of revision three' "$stage/said" || fail "no such revision: $(cat "$stage/said")"

# A wrong result is not kept.
printf '#!/bin/sh\n[ "$*" != "--n 1 --quiet" ] || exit 0\nexit 1\n' >"$stage/build/bin/01-x"
measures three >/dev/null 2>"$stage/said"
[ $? -eq 1 ] && grep -q 'WRONG (exit status 1); not kept' "$stage/said" || fail "a wrong result: $(cat "$stage/said")"
grep -q '"revision":"three"' "$file" && fail 'a wrong result was kept'

# A call with a wrong option, or without a place for its results, builds nothing.
refuses() { # STATUS WORDS ARGUMENTS...
    wanted=$1 words=$2
    shift 2
    "$bench" --source "$stage" --build "$stage/build" "$@" >"$stage/said" 2>&1
    [ $? -eq "$wanted" ] && grep -q -e "$words" "$stage/said" || fail "bench $*: $(cat "$stage/said")"
}
: >"$stage/built"
refuses 2 '--out needs a value' --out
refuses 2 "no option '--fast'" --fast
refuses 2 "'more' is not understood" more
refuses 2 'wants two results' --compare one
refuses 3 'cannot write results into the folder' --out "$file/below"
[ ! -s "$stage/built" ] || fail "built: $(cat "$stage/built")"
# A program that cannot be built ends it.
echo 'echo cannot build >&2; exit 1' >>"$stage/tools/scripts/build"
refuses 1 'cannot build' --out "$out"

"$bench" --index "$out" | grep -q '| Test 1 | 20[0-9-]* | 01-x | 6 |' || fail "index: $("$bench" --index "$out")"
[ $failed -eq 0 ] && echo right
exit $failed
