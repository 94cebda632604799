ladder_step(SOURCES 04-cpu-strassen.c musella.c PRECISIONS f32 f64 i32 TOUR --n 2048 --reps 3 --threads all --variant one)
ladder_packed()

ladder_sizes(--leaf ikj --tau1 5)
ladder_sizes(PRECISIONS "f32 f64" --levels 2)
ladder_sizes(LONG --variant appendix,appendix-malloc)
ladder_sizes(SOME --leaf ijk --tau1 5 --variant one)
ladder_bad_options(RECURSIVE)

# Workspace by the documents' formulas: 21/4 n^2 and 14.4375 n^2 (seven), 3/4 n^2 and 15/16 n^2
# (one), n^2/2 and 5/8 n^2 (two temporaries), in bytes for n = 256, f32.
foreach(plan "seven;1;1376256" "seven;2;3784704" "one;1;196608" "one;2;245760" "two;1;131072"
        "two;2;163840")
  list(GET plan 0 variant)
  list(GET plan 1 levels)
  list(GET plan 2 bytes)
  ladder_step_expect(workspace/${variant}/${levels} 0 "workspace_bytes.:${bytes}," --n 256
                     --leaf ikj --variant ${variant} --levels ${levels} --json)
endforeach()

# --find-threshold chooses its own sizes and runs: what says otherwise is refused.
ladder_bad_input(find-threshold-n 2 "^--n does nothing with --find-threshold: leave it out$" --find-threshold --n 512)
ladder_bad_input(find-threshold-reps 2 "^--reps does nothing with --find-threshold" --reps 3 --find-threshold --leaf ikj)
