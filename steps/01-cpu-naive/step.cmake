ladder_step(SOURCES 01-cpu-naive.c PRECISIONS f32 f64 i32 TOUR --n 256 --reps 1 --warmup 0)
# The product without fused multiply-adds as a library for each precision: step 17 links it as well. It chooses its
# instructions on the computer that the program runs on. Names begin with the step's, so that a copy of the folder is a
# step of its own.
foreach(precision f32 f64 i32)
  string(TOUPPER ${precision} upper)
  ladder_program_name(program ${precision} "f32;f64;i32")
  set(unfused ${step}.unfused_${precision})
  add_library(${unfused} STATIC ${folder}/unfused.c)
  target_compile_definitions(${unfused} PRIVATE LADDER_${upper})
  target_compile_options(${unfused} PRIVATE ${LADDER_OPTIMISATION} -ffp-contract=off)
  target_link_libraries(${unfused} PRIVATE ladder_flags)
  target_link_libraries(${program} PRIVATE ${unfused})
endforeach()

ladder_sizes()
ladder_sizes(--variant unfused)
ladder_bad_options()

# Its bits are the triple loop's.
if(BUILD_TESTING)
  foreach(precision f32 f64)
    string(TOUPPER ${precision} upper)
    set(cases ${step}.unfused-cases.${precision})
    add_executable(${cases} ${LADDER_TESTS}/unfused/unfused-cases.c)
    target_compile_definitions(${cases} PRIVATE LADDER_${upper})
    target_compile_options(${cases} PRIVATE ${LADDER_OPTIMISATION} -ffp-contract=off)
    target_link_libraries(${cases} PRIVATE ${step}.unfused_${precision} ladder_flags)
    add_test(NAME unfused/${step}/${precision} COMMAND ${cases})
    set_tests_properties(unfused/${step}/${precision} PROPERTIES LABELS cpu)
  endforeach()
endif()
