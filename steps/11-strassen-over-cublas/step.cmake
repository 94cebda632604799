ladder_step(SANITIZER_LEVELS 2)

ladder_sizes(--levels 2)
ladder_sizes(--leaf tile16 --tau1 16)
ladder_shuffle()

# What needs a GPU says so.
foreach(option find-threshold tables)
  ladder_step_expect(no-times/${option} 3 "--${option}: the simulated GPU has no times" --${option})
endforeach()
