ladder_step(SOURCES 05-cpu-winograd.c fused.c order.c packing.c cpu_rungs.c study.c
            TOUR --n 2048 --reps 3 --variant fused,packed-both --threads all)
ladder_packed()

ladder_sizes(--leaf ikj --tau1 5)
ladder_sizes(--levels 2)
ladder_sizes(SOME --levels 2 --threads 3)
ladder_sizes(--leaf ikj --levels 2 --variant study)
ladder_bad_options(RECURSIVE)

foreach(expected "14 set . 18 add" "8 set . 15 add") # Strassen's order, Winograd's
  string(MAKE_C_IDENTIFIER "${expected}" name)
  ladder_step_expect(order/${name} 0 "The optimisation study reports ${expected}: this comes out"
                     --order)
endforeach()

# The study's order as it runs: its operations, and 3/4 n^2 and 15/16 n^2 of workspace.
ladder_step_expect(order/runs 0 "variant .study. runs 8 set . 15 add and 7 products" --order)
foreach(plan "1;196608" "2;245760") # bytes for n = 256, f32
  list(GET plan 0 levels)
  list(GET plan 1 bytes)
  ladder_step_expect(workspace/study/${levels} 0 "workspace_bytes.:${bytes}," --n 256 --leaf ikj
                     --variant study --levels ${levels} --json)
endforeach()

ladder_script_test(rungs cpu rungs.sh $<TARGET_FILE:${step}>)
ladder_test_property(rungs SKIP_RETURN_CODE 77)

# The system may give a team fewer threads than it asks for: the plan is made for those that come.
ladder_step_expect(team/fewer 0 "right: 4 of 4" --m 131 --n 207 --k 1101 --levels 2 --threads 5 --untimed
                   --variant packed-both,packed-winograd,packed-sums,fused)
ladder_test_property(team/fewer ENVIRONMENT "OMP_THREAD_LIMIT=2")
ladder_test_property(team/fewer TIMEOUT 60)

# How many levels the default takes, by size and threads.
if(BUILD_TESTING)
  add_executable(levels-by-size ${LADDER_TESTS}/packing/levels.c ${folder}/packing.c)
  target_compile_definitions(levels-by-size PRIVATE LADDER_F32)
  target_link_libraries(levels-by-size PRIVATE packed_f32)
  add_test(NAME packing/levels COMMAND levels-by-size)
  set_tests_properties(packing/levels PROPERTIES LABELS cpu)
endif()
