#!/bin/sh
# SPDX-License-Identifier: MIT
# ./ladder tour: the table and what it says of right, wrong, crashed, skipped and simulated steps.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2016
. "$(dirname "$0")/lib.sh"
complete_machine
package_manager

# json STEP VARIANT BACKEND GFLOPS RATIO PASSED REASON TRANSACTIONS: a line as the programs print it
json() {
    printf 'cat <<LINE\n{"step":"%s","variant":"%s","backend":"%s","device":"A \\"fast\\", new one"' "$1" "$2" "$3"
    printf ',"m":100,"n":100,"k":100,"ms_median":1500,"gflops":%s,"reference":"Vendor 1","ratio":%s' "$4" "$5"
    printf ',"max_error":2.5e-06,"passed":%s,"reason":%s,"transactions":%s,"volume_bytes":4980736' "$6" "$7" "$8"
    printf ',"model_transactions":73728,"model_volume_bytes":4980736}\nLINE\n'
}
{ json 01-one slow cpu 0.5 0.01 true null null; json 01-one fast cpu 2 0.04 true null null
  json 01-one last cpu 1 0.02 true null null; } | step 01-one
json 02-two only cpu 75 1.25 true null null | sed 's/"m":/"threads":4,&/' | step 02-two
results=$tree/results/tour

gives 0 tour --yes
prints '^01-one +the idea of 01-one$'
prints '^  fast +100 +1\.50 s +2\.00 +0\.040 +2\.5e-06  right$'
prints '^  variant +n +time +GFLOP/s +x vendor +max error  verdict$'
prints '^Timed: .*x vendor: speed relative to the vendor$'
prints '^  only +100 +1\.50 s +75\.00 +1\.250 +2\.5e-06  right$'
prints "^The vendor's library: Vendor 1.$"
prints '^Ran on A "fast", new one: steps 01$'
prints '^Ran on A "fast", new one, 4 threads: steps 02$'
prints '^Nothing was skipped'
prints "Results: $results/tour.jsonl and tour.txt \(no plot" # the stub draws nothing
says '\[2/2\] 02-two \(n = 1024\) \.\.\. right'
logged '^01-one --n 512 .*--json$'
[ "$(wc -l <"$results/tour.jsonl")" -eq 4 ] || fail 'four JSON lines were expected'
prints "$(head -n 1 "$results/tour.txt")"

# The user chooses the size.
forget
gives 0 tour --yes --n 64
logged '^01-one --n 64 .*--json$'
logged '^02-two --n 64 .*--json$'
for size in 0 -5 abc 99999999999 1048577 '' 1e3 ' 5' 08; do
    forget
    answers 2 "--n takes a whole number from 1 to 1048576, not '$size'" tour --yes --n "$size"
    never_logged .
done

# Devices that are missing, with and without a simulated one.
echo 'echo "03-gpu: no CUDA device was found" >&2; exit 3' | step 03-gpu
{ json 03-gpu many sim null null true null 90000; json 03-gpu few sim null null true null 73728; } | program 03-gpu.sim
echo 'echo "04-double: skipped: the device has no double" >&2; exit 77' | step 04-double
step 05-unbuilt </dev/null
no_program 05-unbuilt
step 05-half </dev/null
no_program 05-half
echo 'echo "05-half.sim: skipped: no half warps" >&2; exit 77' | program 05-half.sim
forget
gives 0 tour --yes
prints '^skipped: 05-half: no half warps$'
logged '^03-gpu.sim --n 256 --json'
prints '^  few +100 +73728 +4980736 +equal +- +2\.5e-06  right$'
prints '^  variant +n +transactions +bytes +model +x step 06 +max error  verdict$'
prints "^formula, equal or not; x step 06: transactions relative to step 06's at the same n$"
prints '^Ran on the simulated GPU .*: steps 03$'
prints '^skipped: 04-double: the device has no double$'
prints '^skipped: 05-unbuilt: not built on this machine$'
prints '^  skipped: the device has no double$'

# The driver takes a second to answer: it is asked once, and not for each step.
echo 'exit 3' | step 06-gpu
json 06-gpu only sim null null true null 90000 | program 06-gpu.sim
echo 'echo nvidia-smi >>"$log"; exit 9' | stub nvidia-smi
forget
gives 0 tour --yes
[ "$(grep -c nvidia-smi "$log")" -eq 1 ] || fail "the driver was asked $(grep -c nvidia-smi "$log") times"
rm "$bin/nvidia-smi"
no_step 06-gpu

# Counts are compared with step 06's at the same size, and with no others.
{ json 06-naive many sim null null true null 294912; } | step 06-naive
{ json 07-other few sim null null true null 73728; } | step 07-other
{ json 09-texels few sim null null true null 73728; } | sed 's/"n":100/"n":100,"texture_fetches":8/' | step 09-texels
{ json 08-other small sim null null true null 73728; } | sed 's/"n":100/"n":50/' | step 08-other
gives 0 tour --yes
prints '^  few +100 +73728 +4980736 +equal +0\.250 '
prints '^  small +50 +73728 +4980736 +equal +- '
[ "$(printf '%s\n' "$out" | grep -c ' 0\.250 ')" -eq 2 ] || fail 'a step with textures was compared'
no_step 09-texels
no_step 06-naive
no_step 07-other
no_step 08-other

# The status is the worst of the steps', in any place.
echo 'echo "not enough memory: 5 bytes are needed, 4 are free" >&2; exit 3' | step 06-big
{ json 07-bad wrong cpu 9 0.5 false '"C(1, 2), in tile 3"' null; json 07-bad right cpu 8 0.5 true null null; echo 'exit 1'; } | step 07-bad
gives 3 tour --yes
prints '^failed: 06-big: not enough memory: 5 bytes are needed, 4 are free$'
prints '^  right +100 .* WRONG$'
prints '1 of 2 variants: wrong: C\(1, 2\), in tile 3'
says '07-bad \(n = 4096\) \.\.\. WRONG'
no_step 06-big
gives 1 tour --yes
no_step 07-bad
echo 'kill -9 $$' | step 08-crash
gives 1 tour --yes
prints '^failed: 08-crash: ended by signal 9$'
no_step 08-crash

# If the folder cannot be made, it is named, and nothing runs.
: >"$tree/file"
touch "$tree/stale" # nor is anything built
for folder in "$tree/file/deeper" "$tree/file"; do
    forget
    answers 3 "cannot write results into the folder '$folder'" tour --yes --out "$folder"
    never_logged .
done
[ ! -s "$tree/file" ] || fail 'the file was written'
rm "$tree/stale"

# After a failure half way the last results are unchanged, without further files.
echo before >"$results/tour.jsonl"
echo 'kill -TERM $PPID; while ! [ -e "$log.later" ]; do sleep 0.1; done; echo late >>"$log"' | step 09-stop
gives 143 tour --yes
touch "$log.later"
sleep 1
never_logged late # the step's program was stopped as well
[ "$(cat "$results/tour.jsonl")" = before ] || fail 'the last results were touched'
[ "$(ls -A "$results")" = "$(ls "$results")" ] || fail "left behind: $(ls -A "$results")"
no_step 09-stop
gives 0 tour --yes
[ "$(ls -A "$results")" = "$(ls "$results")" ] || fail "left behind: $(ls -A "$results")"

# The plot: drawn by gnuplot, or reported as missing without it.
cat >"$stage/draws" <<'X'
[ "$1 ${2##*/}" = '-c tour.gp' ] && [ "$3" = 'A "fast", new one' ] && grep -q '^1	01-one	2	2  fast	' bars &&
    grep -q '^2	02-two	75	75  only, 4 threads	' bars &&
    echo '<svg/>' >tour.svg
X
stub gnuplot <"$stage/draws"
gives 0 tour --yes
prints 'tour.txt and tour.svg'
[ "$(cat "$results/tour.svg")" = '<svg/>' ] || fail 'no plot'
rm "$bin/gnuplot" "$bin/apt-get" "$results/tour.svg"
gives 0 tour --yes
prints 'no plot: no gnuplot'
[ ! -e "$results/tour.svg" ] || fail 'a plot without gnuplot'

# The table cannot be written.
(cd / && PATH="$bin:$stage/tools" "$tree/ladder" tour --yes </dev/null >/dev/full 2>"$stage/err")
status=$? out='' err=$(cat "$stage/err") called='ladder tour --yes >/dev/full'
is 3
says "standard output cannot be written; .*/tour.txt has the ladder"
end
