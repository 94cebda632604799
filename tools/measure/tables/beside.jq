# Turns several results files (slurped) into one table in Markdown: for n = --argjson n the fastest
# variant of each of the steps --arg steps, such as 06,07, both of step 07, and the vendors' libraries as timed in the same run. The share
# of peak is of the multiply-adds that step 07 measured on the same device, if that file is there.
def fixed(d): if . == null then "–" else (pow(10; d)) as $p | ((. * $p | round) / $p | tostring) end;
def row: "| " + join(" | ") + " |";
map(select(.variant and (.step[0:2] | IN($steps | splits(","))))) as $all |
[$all[] | select(.m == $n and .n == $n and .k == $n and .precision == "f32" and .passed and .gflops)] as $rows |
($rows | group_by(if .step[0:2] == "07" then [.step, .variant] else [.step] end)
    | map(min_by(.ms_median) | {what: "\(.step), \(.variant)", device, ms: .ms_median})) as $ours |
([$rows[] | select(.reference_ms_median) | {what: .reference, device, ms: .reference_ms_median}]
    | group_by(.what) | map(min_by(.ms))) as $vendors |
(["product", "on", "ms", "GFLOP/s", "% of peak"] | row),
(["---", "---", "---", "---", "---"] | row),
($ours + $vendors | sort_by(-.ms)[] | . as $r | (2 * $n * $n * $n / .ms / 1e6) as $gflops
    | first($all[] | select(.variant == "multiply-add" and .device == $r.device) | .gflops) // null
    | [$r.what, $r.device, ($r.ms | fixed(3)), ($gflops | fixed(1)),
       (if . then 100 * $gflops / . | fixed(1) else "–" end)] | row),
"",
"*n = \($n); from the results of each step, measured as its chapter says*"
