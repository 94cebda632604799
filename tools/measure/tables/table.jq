# Turns a results file (JSON lines: first the conditions, then one object per variant) into Markdown.
# --arg set chooses the columns; --arg only the rows: "n=4096 variant=one,two" keeps those where every
# field has one of its values; "part=bandwidth" those below conditions of that part. --rawfile documents is
# docs/documents/numbers.csv, what the documents print.
def fixed(d): if . == null then "–" else (pow(10; d)) as $p | ((. * $p | round) / $p | tostring) end;
def digits: if . == null then "–" elif . == 0 then "0" else
  (log10 | floor) as $e | "\((. / pow(10; $e) * 100 | round) / 100)e\($e)" end;
# null where a field that it needs is missing: every set is computed for every file.
def known(value): (try value catch null);
# Step 21's goals at size n: times cublasSgemm, mean error. With halves it is cublasSgemm's own error.
def goal: if .variant | tostring | startswith("fp16") then [if .n == 16384 then "4.5" else "–" end, (.vendor | digits)]
  else {"4096": ["4.2", "4e-5"], "8192": ["5.0", "8e-5"], "16384": ["5.2", "1.5e-4"], "32768": ["5.5", "3e-4"]}["\(.n)"] // ["–", "–"] end;
# Musella's milliseconds over a leaf, sections 5.0.1 and 5.0.2, and how much less time a hybrid takes than its leaf.
def printed($row): (if .leaf == "cublas" then ["musella-table-5.0.2", "cuBLAS"] else ["musella-table-5.0.1", "naive"] end) as [$item, $leaf]
  | [$item, (if $row == "leaf" then $leaf else $row end), "\(.n)"] as $wanted
  | first($documents | split("\n")[] | split(",") | select([.[0], .[2], .[3]] == $wanted)[4] | tonumber);
def gain(leaf): "\(100 * (1 - . / leaf) | fixed(1)) %";
# Step 07: the fastest that a product can be with a given number of operations per float, fetched at a row's rate.
def at_most(operations): known([.peak, operations * .gib_per_s * 0.268435456] | min) | fixed(0);
def columns: {
  cpu: [["variant", .variant], ["levels", .levels], ["ms", (.ms_median | fixed(3))],
        ["GFLOP/s", (.gflops | fixed(2))], ["times OpenBLAS", (.ratio | fixed(4))],
        ["max error", (.max_error | digits)]],
  turns: [["variant", .variant], ["threads, levels", "\(.threads), \(.levels)"], ["ms", (.ms_median | fixed(0))],
        ["fastest to slowest run", "\(.ms_min | fixed(0)) to \(.ms_max | fixed(0))"],
        ["OpenBLAS, ms", (.reference_ms_median | fixed(0))], ["times OpenBLAS", (.ratio | fixed(2))]],
  loops: [["variant", .variant], ["ms", (.ms_median | fixed(1))], ["GFLOP/s", (.gflops | fixed(2))],
        ["times OpenBLAS", (.ratio | fixed(3))], ["max error", (.max_error | digits)]],
  times: [["variant", .variant], ["n", .n], ["ms", (.ms_median | fixed(3))],
        ["TFLOP/s", ((.gflops // 0) / 1000 | fixed(2))], ["times cuBLAS", (.ratio | fixed(3))],
        ["max error", (.max_error | digits)]],
  "gpu-levels": [["n", .n], ["levels", .levels], ["ms", (.ms_median | fixed(3))],
        ["TFLOP/s", ((.gflops // 0) / 1000 | fixed(2))], ["times cuBLAS", (.ratio | fixed(3))],
        ["max error", (.max_error | digits)]],
  levels: [["variant", .variant], ["n", .n], ["levels", .levels], ["ms", (.ms_median | fixed(2))],
        ["GFLOP/s", (.gflops | fixed(1))], ["times OpenBLAS", (.ratio | fixed(3))]],
  kaporin: [["variant", .variant], ["input", .input], ["n", .n], ["levels", .levels], ["max error", (.max_error | digits)],
        ["mean error", (.mean_error | digits)], ["mean, summed in single precision", (.mean_error_f32 | digits)]],
  musella: [["program", "\(.variant)\(if .leaf == "ijk" then " over ijk" else "" end)"], ["n", .n],
        ["levels", .levels], ["ms", (.ms_median | fixed(1))], ["fastest run, ms", (.ms_min | fixed(1))]],
  normalised: [["variant", .variant], ["input", .input], ["pairs", .pairs], ["largest maximum", (known(.maximum | digits))],
        ["mean average", (known(.average | digits))]],
  memory: [["variant", .variant], ["levels", .levels], ["ms", (.ms_median | fixed(2))],
        ["workspace bytes", .workspace_bytes],
        ["in units of n²", (known(.workspace_bytes / (if .precision == "f64" then 8 else 4 end) / .n / .n) | fixed(4))],
        ["max error", (.max_error | digits)]],
  sizes: [["variant", .variant], ["m × n × k", "\(.m) × \(.n) × \(.k)"], ["levels", .levels],
        ["ms", (.ms_median | fixed(2))], ["GFLOP/s", (.gflops | fixed(2))],
        ["times OpenBLAS", (.ratio | fixed(4))], ["max error", (.max_error | digits)]],
  counts: [["variant", .variant], ["n", .n], ["transactions", .transactions],
        ["model ", .model_transactions], ["bytes", .volume_bytes], ["model", .model_volume_bytes]],
  today: [["variant", .variant], ["n", .n], ["sectors of 32 bytes", .transactions], ["bytes", .volume_bytes]],
  textures: [["variant", .variant], ["n", .n], ["levels", .levels],
        ["texel fetches", .texture_fetches], ["model ", .model_texture_fetches],
        ["bytes", .texture_bytes], ["model", .model_texture_bytes]],
  gpu: [["variant", .variant], ["n", .n], ["levels", .levels], ["ms", (.ms_median | fixed(3))],
        ["TFLOP/s", ((.gflops // 0) / 1000 | fixed(2))], ["times cuBLAS", (.ratio | fixed(3))],
        ["max error", (.max_error | digits)]],
  "musella-gpu": [["leaf", .leaf], ["n", .n], ["Musella: leaf, hybrid", known("\(printed("leaf") | fixed(1)), \(printed("Strassen") | fixed(1))")],
        ["gain", known(printed("leaf") as $leaf | printed("Strassen") | gain($leaf))],
        ["ours: leaf, hybrid", known("\(.without_levels | fixed(3)), \(.ms_median | fixed(3))")],
        ["gain ", known(.without_levels as $leaf | .ms_median | gain($leaf))]],
  rungs: [["variant", .variant], ["n", .n], ["levels", .levels],
        ["predicted, ms", (.predicted_ms | fixed(3))], ["ms", (.ms_median | fixed(3))],
        ["cuBLAS, ms", (.reference_ms_median | fixed(3))], ["times cuBLAS", (.ratio | fixed(3))],
        ["TFLOP/s", ((.gflops // 0) / 1000 | fixed(2))],
        ["workspace, n²", (known(.workspace_bytes / (if .precision == "f64" then 8 else 4 end) / .n / .n) | fixed(2))],
        ["largest difference", (.difference | digits)]],
  tensor: [["variant", .variant], ["n", .n], ["levels", .levels],
        ["predicted, ms", (.predicted_ms | fixed(3))], ["ms", (.ms_median | fixed(3))],
        ["times cublasSgemm", (.ratio | fixed(2))], ["TFLOP/s", ((.gflops // 0) / 1000 | fixed(0))],
        ["mean error", (.mean_error | digits)], ["max error", (.max_error | digits)]],
  goals: [["n", .n], ["variant, levels", "`\(.variant)`, \(.levels)"],
        ["goal: times cublasSgemm, mean error", (goal | "\(.[0]), \(.[1])")],
        ["reached: ms, times", "\(.ms_median | fixed(2)), \(.ratio | fixed(2))"],
        ["mean error, max error", "\(.mean_error | digits), \(.max_error | digits)"]],
  exact: [["n", .n], ["variant, levels", "`\(.variant)`, \(.levels)"], ["predicted, ms", (.predicted_ms | fixed(1))],
        ["ms, times as fast as cublasDgemm", "\(.ms_median | fixed(2)), \(.ratio | fixed(2))"],
        ["mean error, max error", "\(.mean_error | digits), \(.max_error | digits)"],
        ["correctly rounded", "\(known(100 * .nearest) | fixed(1)) %"]],
  gpus: [["n, GPUs", "\(.n), \(.ranks)"],
        ["variant, levels", if .program == "torch" then "PyTorch"
          else "`\(.variant)`, \(.levels)\(if .panels and .ranks > 1 then ", \(.panels) panels" else "" end)\(if .host_memory then ", in host memory" elif known(.library | startswith("threads")) then ", one process" else "" end)" end],
        ["leaf", .leaf], ["predicted, ms", (.ms_predicted | fixed(0))], ["ms", (.ms_median | fixed(0))],
        ["times one GPU's cuBLAS, for each GPU", "\(.one_gpu | fixed(2)), \(known(.one_gpu / .ranks) | fixed(2))"]],
  moduli: [["n", .n], ["moduli", .moduli], ["mode", "\(.mode // .variant)\(if .variant | tostring | endswith("nosync") then "*" else "" end)"],
        ["ms", (.ms_median | fixed(2))], ["times cublasSgemm", (.ratio | fixed(2))],
        ["mean error", (.mean_error | digits)], ["max error", (.max_error | digits)]],
  inputs: [["input", .input], ["variant", .variant], ["n", .n], ["levels", .levels],
        ["max error", (.max_error | digits)], ["mean error", (.mean_error | digits)],
        ["mean size of C", (.mean_magnitude | digits)]],
  fetches: [["variant", .variant], ["m × n × k", "\(.m) × \(.n) × \(.k)"], ["unroll", .unroll],
        ["texel fetches", .texture_fetches], ["floats", known(.texture_bytes / 4)],
        ["of the matrices", .elements],
        ["fetches a mad", (known(4 * .texture_fetches / .m / .n / .k) | fixed(3))],
        ["uses of each", (known(2 * .m * .n * .k / .elements) | fixed(3))]],
  threads: [["kernel", (known(.note | split(" kernel")[0]))], ["precision", .precision],
        ["threads", .threads], ["m × n × k", "\(.m) × \(.n) × \(.k)"], ["ms", (.ms_median | fixed(1))],
        ["times OpenBLAS", (.ratio | fixed(2))]],
  packing: [["variant", "\(.variant)\(if .leaf == "openblas" then " over OpenBLAS" else "" end)"], ["n, levels", "\(.n), \(.levels)"], ["predicted, ms", (.predicted_ms | fixed(1))],
        ["ms", (.ms_median | fixed(1))], ["fastest run, ms", (.ms_min | fixed(1))],
        ["times OpenBLAS", (.ratio | fixed(2))]],
  "packed-goals": [["threads", .threads], ["precision", .precision], ["n", .n], ["variant, levels", "`\(.variant)`, \(.levels)"],
        ["times OpenBLAS", (.ratio | fixed(2))],
        ["goal", (if .precision == "f64" then "float's − 0.03" elif .n == 1536 then "above 1 up to n = 1500" else
          {"16 8192": "1.20", "16 4096": "1.10", "8 4096": "1.15", "4 4096": "1.15", "1 4096": "1.25"}["\(.threads) \(.n)"] // "–" end)]],
  "two-core-goals": [["threads", .threads], ["precision", .precision], ["n", .n], ["variant, levels", "`\(.variant)`, \(.levels)"],
        ["times OpenBLAS", (.ratio | fixed(2))],
        ["goal", (if .variant == "packed" then "0.95" elif .precision == "f64" then "float's − 0.03"
          elif .n == 1536 then "above 1 up to n = 1500" elif .threads == 1 then "1.25" else "–" end)]],
  ways: [["threads", .threads], ["variant, levels", "`\(.variant)`\(if .leaf == "openblas" then " over OpenBLAS" else "" end), \(.levels)"],
        ["predicted, ms", (.predicted_ms | fixed(1))], ["ms", (.ms_median | fixed(1))],
        ["times OpenBLAS", (.ratio | fixed(2))],
        ["largest difference", (known(.difference | digits))]],
  "thread-states": [["before the run", (known({rested: "all threads sleep", after: "a product of OpenBLAS", alone: "the same product"}[.state]))],
        ["n", .n], ["ms", (.ms_median | fixed(2))], ["slowest run, ms", (.ms_max | fixed(2))],
        ["OpenBLAS, ms", (.reference_ms_median | fixed(2))], ["its slowest run, ms", (.reference_ms_max | fixed(2))]],
  "thread-sizes": [["threads", .threads], ["n", .n], ["ms", (.ms_median | fixed(2))], ["slowest run, ms", (.ms_max | fixed(2))],
        ["GFLOP/s", (.gflops | fixed(0))], ["times OpenBLAS", (.ratio | fixed(2))]],
  pieces: [["pieces of a thread, at most", .pieces], ["n", .n], ["ms", (.ms_median | fixed(2))], ["times OpenBLAS", (.ratio | fixed(2))]],
  shapes: [["threads", .threads], ["m × n × k", "\(.m) × \(.n) × \(.k)"], ["ms", (.ms_median | fixed(2))],
        ["times OpenBLAS", (.ratio | fixed(2))], ["times BLIS", (.blis_ratio | fixed(2))]],
  "mixed-levels": [["threads", .threads], ["n", .n], ["levels", .levels], ["ms", (.ms_median | fixed(1))],
        ["fastest to slowest run", "\(.ms_min | fixed(1)) to \(.ms_max | fixed(1))"], ["times OpenBLAS", (.ratio | fixed(2))]],
  thin: [["threads", .threads], ["m × n × k", "\(.m) × \(.n) × \(.k)"], ["ms", (.ms_median | fixed(1))],
        ["fastest run, ms", (.ms_min | fixed(1))], ["times OpenBLAS", (.ratio | fixed(2))]],
  barriers: [["barrier", (known(.note | split(";")[0]))], ["ms", (.ms_median | fixed(1))], ["fastest run, ms", (.ms_min | fixed(1))],
        ["slowest run, ms", (.ms_max | fixed(1))], ["OpenBLAS, ms", (.reference_ms_median | fixed(1))]],
  differences: [["variant", .variant], ["levels", .levels], ["ms", (.ms_median | fixed(1))],
        ["workspace, MiB", (known(.workspace_bytes / 1048576) | fixed(1))],
        ["largest difference from OpenBLAS", (known(.difference | digits))]],
  blocks: [["mc, kc, nc", (known(.note | capture("mc = (?<mc>\\d+), kc = (?<kc>\\d+), nc = (?<nc>\\d+)") | "\(.mc), \(.kc), \(.nc)"))],
        ["variant", .variant], ["ms", (.ms_median | fixed(1))], ["fastest run, ms", (.ms_min | fixed(1))],
        ["times OpenBLAS", (.ratio | fixed(2))]],
  bandwidth: [["variant", .variant], ["n", .n], ["unroll", .unroll], ["ms", (.ms_median | fixed(3))],
        ["GB/s in", (.gib_per_s | fixed(1))]],
  unroll: [["variant", .variant], ["n", .n], ["unroll", .unroll], ["ms", (.ms_median | fixed(3))],
        ["TFLOP/s", ((.gflops // 0) / 1000 | fixed(2))], ["times cuBLAS", (.ratio | fixed(3))]],
  "profile-counts": [["variant", .variant], ["sectors loaded, stored", "\(.load_sectors), \(.store_sectors)"],
        ["loads from shared memory", .shared_loads], ["their passes", .shared_load_passes],
        ["stores to shared memory", .shared_stores], ["their passes ", .shared_store_passes]],
  "profile-limits": [["variant", .variant], ["ms", (.ms | fixed(2))],
        ["registers", .registers], ["warps: possible, active", "\(.warps_possible | fixed(0)) %, \(.warps_active | fixed(0)) %"],
        ["arithmetic and issue, memory", "\(.compute_used | fixed(0)) %, \(.memory_used | fixed(0)) %"],
        ["found in L2", "\(.l2_hits | fixed(0)) %"]],
  commands: [["first call in a clean clone", "`\(.command)`"], ["seconds", (.seconds | fixed(1))],
        ["aim", .limit_seconds], ["time of a second call", "\(.again_ms) ms"],
        ["MiB in build/", .build_mib]],
  grade: [["product", .variant], ["kind", .kind], ["error", (.error | fixed(1))], ["lines", (.lines | digits)],
        ["terms", (.terms | digits)], ["grade A", (if .safe then "yes" else "no" end)]],
  needs: [["measurement", .variant], ["floats fetched per clock", (known(.gib_per_s * 268.435456 / .clock_mhz) | fixed(0))],
        ["operations for each float", (known(.peak / .gib_per_s / 0.268435456) | fixed(1))]],
  limits: [["measurement", .variant], ["1 × 1", at_most(1)], ["2 × 2", at_most(2)], ["6 × 6", at_most(6)], ["8 × 8", at_most(8)],
        ["16 × 8", at_most(32 / 3)]],
  rates: [["measurement", .variant], ["ms", (.ms_median | fixed(3))],
        ["GFLOP/s", (if (.flops // 0) > 0 then .gflops | fixed(0) else "–" end)],
        ["GB/s", (.gib_per_s | fixed(0))]]
}[$set];
# Of step 21's rungs a chapter shows the levels that `fast` and `accurate` take.
# Of step 05's rungs: the best variant for each goal on the processor.
def shown: if $set == "packed-goals" then
  select([.variant, .levels, .n, .threads, .precision] | IN(["packed-sums", 2, 8192, 16, "f32"], ["packed-sums", 2, 4096, 16, "f32"],
         ["packed-sums", 1, 4096, 8, "f32"], ["packed-sums", 1, 4096, 4, "f32"], ["packed-sums", 1, 4096, 1, "f32"],
         ["packed-sums", 1, 1536, 1, "f32"], ["packed-sums", 1, 4096, 16, "f64"], ["packed-sums", 1, 2048, 1, "f64"]))
  elif $set == "two-core-goals" then
  select(.m == .n and .n == .k and ([.variant, .levels, .n] | IN(["packed", 0, 4096], ["packed-sums", 1, 4096], ["packed-sums", 1, 1536])))
  elif $set == "thin" then select(.variant == "packed" and (.m != .n or .n != .k or .n % 2 == 1))
  elif $set != "goals" then . else
  select([.variant, .n, .levels] | IN(["int8", 4096, 0], ["int8", 8192, 0], ["int8", 16384, 0],
         ["int8", 32768, 1], ["fp16", 8192, 0], ["fp16", 16384, 1], ["fp16-beside", 16384, 1],
         ["fp16", 32768, 2])) end;
def words: $only | splits(" +") | select(. != "");
def of_part: .c.part as $part | all(words | select(startswith("part=")); . == "part=\($part)");
def wanted: . as $row | all(words | select(startswith("part=") | not) | split("=");
  . as [$field, $values] | $row[$field] | tostring | IN($values | splits(",")));
# The library of the rows; where they differ in threads, "with as many threads".
def reference: map(.reference) | if unique | length == 1 then .[0]
  else .[0] | sub(", \\d+ threads?\\)"; ", as many threads)") end;
def row: "| " + join(" | ") + " |";
# Every row, with the conditions above it.
def rows: foreach .[] as $line (null; $line.conditions // .; select($line.conditions | not) as $c | $line + {$c});
# A row with its counterpart among the rows of another machine's file, with the rate of multiply-adds alone (step 07),
# with the time without levels, with cublasSgemm's mean error, and with how many times faster it is than cublasSgemm on one GPU (step 22).
def same(r): .variant == r.variant and .n == r.n and .levels == r.levels;
def with_others(all; others): . as $row
  | . + {peak: ([all[] | select(.variant == "multiply-add")] | first | .gflops),
         other: ([others[] | select(same($row))] | first),
         without_levels: ([all[] | select(.levels == 0 and .variant == $row.variant and .leaf == $row.leaf and .n == $row.n)] | first | .ms_median),
         vendor: ([all[] | select(.variant == "cublasSgemm" and .n == $row.n)] | first | .mean_error),
         one_gpu: known(([all[] | select(.ranks == 1 and .leaf == "cublas" and .n == $row.n and .precision == $row.precision)] | first | .ms_median) / $row.ms_median)};
[rows | select(of_part)] as $both | [$both[] | select(.c.device == $both[0].c.device)] as $all | ($both - $all) as $others
  | [$all[] | shown | select(wanted) | with_others($all; $others)] as $rows | $rows[0].c as $c |
([$rows[0] | columns[] | .[0]] | row),
([$rows[0] | columns[] | "---"] | row),
($rows[] | [columns[] | .[1] | if . == null then "–" else tostring end] | row),
"",
"*\($c.device)\(if $c.driver then ", driver \($c.driver)" else "" end)\(if $c.toolkit then ", CUDA \($c.toolkit)" else "" end)\(if $rows[0].reference then "; \($rows | reference)" else "" end); \($c.date)\(if $others[0] then "; \($others[0].c | "\(.device), \(.date)")" else "" end); \($c.command | map("`" + . + "`") | if length > 3 then .[0] + " … " + .[-1] + " (\(length) commands)" else join(", ") end)*"
