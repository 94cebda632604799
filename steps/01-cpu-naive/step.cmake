ladder_step(SOURCES 01-cpu-naive.c PRECISIONS f32 f64 i32 TOUR --n 256 --reps 1 --warmup 0)
# The product without fused multiply-adds as a library, unfused_f32, unfused_f64 and unfused_i32: step 17
# links it as well. It chooses its instructions on the computer that the program runs on.
foreach(precision f32 f64 i32)
  string(TOUPPER ${precision} upper)
  ladder_program_name(program ${precision} "f32;f64;i32")
  add_library(unfused_${precision} STATIC ${folder}/unfused.c)
  target_compile_definitions(unfused_${precision} PRIVATE LADDER_${upper})
  target_compile_options(unfused_${precision} PRIVATE ${LADDER_OPTIMISATION} -ffp-contract=off)
  target_link_libraries(unfused_${precision} PRIVATE ladder_flags)
  target_link_libraries(${program} PRIVATE unfused_${precision})
endforeach()

ladder_sizes()
ladder_sizes(--variant unfused)
ladder_bad_options()

# Its bits are the triple loop's.
if(BUILD_TESTING)
  foreach(precision f32 f64)
    string(TOUPPER ${precision} upper)
    add_executable(unfused-cases.${precision} ${LADDER_TESTS}/unfused/unfused-cases.c)
    target_compile_definitions(unfused-cases.${precision} PRIVATE LADDER_${upper})
    target_compile_options(unfused-cases.${precision} PRIVATE ${LADDER_OPTIMISATION} -ffp-contract=off)
    target_link_libraries(unfused-cases.${precision} PRIVATE unfused_${precision} ladder_flags)
    add_test(NAME unfused/${precision} COMMAND unfused-cases.${precision})
    set_tests_properties(unfused/${precision} PROPERTIES LABELS cpu)
  endforeach()
endif()
