ladder_step(SANITIZER_LEVELS 2)
ladder_step_links(paper_numbers) # the numbers that --tables prints beside its own

ladder_sizes(--levels 2)
ladder_sizes(--leaf tile16 --tau1 16)
ladder_sizes(--levels 2 --variant one)
ladder_shuffle()

# What needs a GPU says so.
foreach(option find-threshold tables)
  ladder_step_expect(no-times/${option} 3 "--${option}: the simulated GPU has no times" --${option})
  ladder_bad_input(${option}-n 2 "^--n does nothing with --${option}: leave it out$" --${option} --n 512)
endforeach()

# One arena of S, T and M: 3/4 n^2 and 15/16 n^2, in bytes for n = 256, f32.
foreach(plan "1;196608" "2;245760")
  list(GET plan 0 levels)
  list(GET plan 1 bytes)
  ladder_step_expect(workspace/gpu-one/${levels} 0 "workspace_bytes.:${bytes}," --n 256 --variant one
                     --levels ${levels} --no-count --json)
endforeach()
