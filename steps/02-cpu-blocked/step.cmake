# The packed product of a precision as a library, packed_f32 and packed_f64: steps 04 and 05 link it
# as well. kernel.c is compiled once for each instruction set, with nothing of this computer's own:
# packed.c chooses among them on the computer that the program runs on.
set(packed_kernels portable)
set(packed_flags_portable)
set(packed_defines)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND packed_kernels avx2 avx512)
  set(packed_flags_avx2 -mavx2 -mfma)
  set(packed_flags_avx512 -mavx512f -mavx512dq -mavx512bw -mavx512vl -mfma -mprefer-vector-width=512)
  set(packed_defines LADDER_X86_KERNELS)
endif()
foreach(precision f32 f64)
  string(TOUPPER ${precision} upper)
  add_library(packed_${precision} STATIC ${folder}/packed.c ${folder}/blis.c)
  target_compile_definitions(packed_${precision} PRIVATE LADDER_${upper} ${packed_defines})
  target_compile_options(packed_${precision} PRIVATE ${LADDER_OPTIMISATION})
  target_link_libraries(packed_${precision} PUBLIC ladder_common)
  foreach(kernel IN LISTS packed_kernels)
    add_library(packed_${kernel}_${precision} OBJECT ${folder}/kernel.c)
    target_compile_definitions(packed_${kernel}_${precision} PRIVATE LADDER_${upper} KERNEL=kernel_${kernel})
    target_compile_options(packed_${kernel}_${precision} PRIVATE ${LADDER_OPTIMISATION} ${packed_flags_${kernel}})
    target_link_libraries(packed_${kernel}_${precision} PRIVATE ladder_flags)
    target_sources(packed_${precision} PRIVATE $<TARGET_OBJECTS:packed_${kernel}_${precision}>)
  endforeach()
endforeach()

ladder_step(SOURCES 02-cpu-blocked.c tune.c TOUR --n 1024 --reps 3 --threads all)
ladder_packed()

ladder_sizes()
ladder_sizes(--threads 3)
ladder_bad_options()

# Each kernel that this processor can run, when LADDER_KERNEL asks for it, and the best one without: the report
# names it and no other, and it is right where tiles, panels and blocks end in the middle (kc is 512, so k = 1030
# makes three blocks). On a processor that has no x86-64 kernels only the portable one is built.
if(BUILD_TESTING)
  foreach(kernel IN ITEMS best LISTS packed_kernels)
    foreach(shape "47;45;61" "3;70;1030" "130;35;1")
      list(GET shape 0 m)
      list(GET shape 1 n)
      list(GET shape 2 k)
      foreach(threads 1 3)
        set(name kernel/${kernel}/${m}x${n}x${k}/${threads})
        add_test(NAME ${name} COMMAND ${LADDER_TESTS}/kernel.sh ${kernel} $<TARGET_FILE:${step}> --variant packed
                 --m ${m} --n ${n} --k ${k} --ld-extra 3 --threads ${threads} --reps 1)
        set_tests_properties(${name} PROPERTIES LABELS cpu TIMEOUT 600 SKIP_RETURN_CODE 77)
      endforeach()
    endforeach()
  endforeach()
endif()

# More than eight threads take other blocks, where --tune has written none.
ladder_step_expect(blocks/many-threads 0 "kc = 512, .*beyond 8 threads mc = [0-9]+, kc = 384, nc = " --variant packed --n 16
                   --reps 1)
ladder_test_property(blocks/many-threads ENVIRONMENT "LADDER_CACHE=/nonexistent")
