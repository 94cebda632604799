# What the pages in simgpu/docs show of the corpus and of other people's kernels, as Markdown, from rows of results. --arg mode:
# kinds    a line for each kind of mistake: how many programs each tool names with their line
# rates    a line for each file of rows: how many programs are named, and how many right ones cause an alarm
# missed   what the simulated GPU does not name
# gallery  twenty mistakes, and what each tool says
# sectors  the transactions of each kernel, by Nsight Compute and by the simulated GPU
def tools: ["memcheck", "racecheck", "initcheck", "synccheck"];
def gallery: ["index_left_neighbour", "index_pitch_counts_bytes", "guard_missing", "barrier_before_next_tile", "barrier_scan_in_place",
  "warp_in_lockstep", "warp_mask_of_half", "shared_size_in_elements", "shared_tail_not_filled", "pointers_in_structure", "pointers_read_on_host",
  "copies_elements_to_device", "copies_elements_to_host", "streams_pinned_early", "streams_event_too_early", "atomics_sum_read_in_kernel",
  "reductions_last_block", "divergence_return_before_barrier", "launch_grid_and_block_exchanged", "lifetime_local_array"];
def rows: map(select(.conditions | not));
def conditions: [.[] | .conditions // empty | "*\(.device)\(if .driver then ", driver \(.driver), CUDA \(.toolkit)" else "" end); \(.date); `\(.command[0])`*"] | unique | join("\n\n");
def ours: rows | map(select(.heads != null));
def theirs: rows | map(select(.tool and .version == "wrong"));
def shown: sub(" *// (planted: [a-z-]+|or here)"; "") ;
def says($all; $tool): ([$all[] | select(.tool == $tool)][0]) as $r
  | if $r == null then "not run" elif $r.named == "time" then "stopped after 20 seconds" elif $r.named == "silent" then "nothing"
    else "`\($r.says)`\(if $r.named == "named" and ($r.says | test("\\.cu:[0-9]+$") | not) then " at line \($r.at | split(",")[0])" else "" end)" end;
if $mode == "kinds" then
  ours as $ours | theirs as $theirs
  | ($theirs | group_by(.program) | map({key: .[0].program, value: .}) | from_entries) as $of
  | def cell($programs; $tool): [$programs[] | $of[.][]? | select(.tool == $tool)] as $run
      | ($run | map(select(.named == "named")) | length) as $named
      | if $run == [] then "–" elif ($run | length) < ($programs | length) then "\($named) of \($run | length)" else "\($named)" end;
    def any($programs): [$programs[] | select([$of[.][]? | select(.named == "named")] != [])] | length;
    def line($name; $rows): ($rows | map(.program)) as $p
      | "| \($name) | \($p | length) | \($rows | map(select(.named == "named")) | length) | \([tools[] as $t | cell($p; $t)] | join(" | ")) | \(any($p)) |";
  "| mistakes | programs | simulated GPU | \(tools | join(" | ")) | one of the four |", "| --- | --- | --- | --- | --- | --- | --- | --- |",
  ($ours | group_by(.kind)[] | line("[\(.[0].kind)](../corpus/\(.[0].kind).txt)"; .)), line("all"; $ours), "", conditions
elif $mode == "rates" then
  "| the simulated GPU | named with the line | something else is said | silent | false sentences | alarms in the mended programs |", "| --- | --- | --- | --- | --- | --- |",
  ([foreach .[] as $r (null; if $r.conditions then $r.conditions else . end; {of: ., row: $r})]
   | map(select(.row.conditions | not)) | group_by(.of.state == "now")[] | {of: .[0].of, rows: map(.row)}
   | def count(f): .rows | map(select(f)) | length;
     "| \(.of.state) | \(count(.named == "named")) of \(.rows | length) | \(count(.named == "elsewhere")) | \(count(.named == "silent")) | \(.of.false_sentences) | \(count(.mended_silent | not)) |"),
  "", conditions
elif $mode == "missed" then
  "| program | the mistake | why it is not named |", "| --- | --- | --- |",
  (ours | map(select(.named != "named"))[] | "| `\(.program)` | \(.about) | \(.missed)\(if .missed == "" then "–" else "" end) |")
elif $mode == "gallery" then
  ours as $ours | theirs as $theirs
  | gallery[] as $name | ([$ours[] | select(.program == $name)][0]) as $r | ([$theirs[] | select(.program == $name)]) as $all
  | "## \($name)", "", $r.about, "",
    (if $r.named == "named" then "```text", ($r.says | split("\n") | map(select(test("^    Seen [0-9]+ times|^ *$|^simulated GPU: ") | not) | shown) | .[]), "```"
     else "The simulated GPU says nothing: \($r.missed)." end),
    "", "compute-sanitizer: " + ([tools[] | "*\(.)* \(says($all; .))"] | join("; ")) + ".", ""
elif $mode == "sectors" then
  def both($row; $field): $row[$field] as $a | $row["simulated_" + $field] as $b | if $a == $b then "\($a)" else "\($a), simulated \($b)" end;
  (rows | def same(f): map(select(f)) | length; def shared: map(select(.simulated_shared_load_passes + .simulated_shared_store_passes > 0));
   "Of \(length) lines, \(same(.load_sectors == .simulated_load_sectors and .store_sectors == .simulated_store_sectors)) have equal sectors of loads and of stores. \(shared | length) use shared memory: there the passes of the stores agree in \(shared | same(.shared_store_passes == .simulated_shared_store_passes)), those of the loads in \(shared | same(.shared_load_passes == .simulated_shared_load_passes))."), "",
  "| program | kernel | sectors loaded | sectors stored | passes of shared loads | passes of shared stores |", "| --- | --- | --- | --- | --- | --- |",
  (rows | sort_by(.repository, .program, .arguments)[] | . as $r
   | "| \(.program)\(if .arguments | test("^[0-9]$") then " \(.arguments)" else "" end) | `\(.kernel)` | \(["load_sectors", "store_sectors", "shared_load_passes", "shared_store_passes"] | map(both($r; .)) | join(" | ")) |"),
  "", conditions
else error("no mode \($mode)") end
