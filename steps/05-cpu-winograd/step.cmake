ladder_step(SOURCES 05-cpu-winograd.c fused.c order.c packing.c rungs.c TOUR --n 2048 --reps 3)
ladder_packed()

ladder_sizes(--leaf ikj --tau1 5)
ladder_sizes(--levels 2)
ladder_sizes(--levels 2 --threads 3)
ladder_bad_options(RECURSIVE)

foreach(expected "14 set . 18 add" "8 set . 15 add") # Strassen's order, Winograd's
  string(MAKE_C_IDENTIFIER "${expected}" name)
  ladder_step_expect(order/${name} 0 "The optimisation study reports ${expected}: this comes out"
                     --order)
endforeach()
