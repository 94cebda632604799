ladder_step(SOURCES 19-own-leaf.cu errors.cu exact.cu ../18-modern/gpu_rungs.cu SANITIZER_LEVELS 3
            BENCH_UPTO 0)

# The same with a leaf that sums in chunks of 16 * 16 inner indices: what that costs, and gains.
if(LADDER_HAVE_CUDA)
  ladder_executable(19-own-leaf.chunked f32 f32)
  target_sources(19-own-leaf.chunked PRIVATE ${folder}/19-own-leaf.cu ${folder}/errors.cu
                                             ${folder}/exact.cu ${folder}/../18-modern/gpu_rungs.cu)
  target_compile_definitions(19-own-leaf.chunked PRIVATE LEAF_CHUNK=16)
  target_link_libraries(19-own-leaf.chunked PRIVATE ladder_cuda)
  add_dependencies(gpu-programs 19-own-leaf.chunked)
endif()
simgpu_objects(19-own-leaf.chunked.sim_plain
               SOURCES ${folder}/19-own-leaf.cu ${folder}/errors.cu ${folder}/exact.cu
                       ${folder}/../18-modern/gpu_rungs.cu
               DEFINES LADDER_F32 LADDER_SIM LEAF_CHUNK=2 INCLUDES ${PROJECT_SOURCE_DIR})
target_compile_options(19-own-leaf.chunked.sim_plain PRIVATE -Wno-missing-field-initializers
                       -Wno-unused-parameter)
ladder_executable(19-own-leaf.chunked.sim f32 f32)
target_sources(19-own-leaf.chunked.sim PRIVATE $<TARGET_OBJECTS:19-own-leaf.chunked.sim_plain>)
target_link_libraries(19-own-leaf.chunked.sim PRIVATE ladder_sim)
ladder_expect(modern/leaf/chunked sim 0 "right: 2 of 2" $<TARGET_FILE:19-own-leaf.chunked.sim>
              --variant own,two-levels --m 130 --n 140 --k 200 --levels 2 --no-count)
ladder_step_expect(modern/errors 0 ".variant.:.two-levels.,.*,.levels.:2,.*,.mean_error.:[0-9]" --errors
                   --n 128 --json)
ladder_sizes(LONG --levels 2)
# What a third level and other limits change: the level above two in one pass, and what runs beside.
ladder_sizes(SOME PRECISIONS f32 --levels 3 --beside 2 --variant two-levels,beside)
ladder_shuffle()

# The panels and the own leaf, counted: no bank conflicts, every access a whole number of times, no
# faults at the edges.
foreach(access "shared load +25480 +101920 +1.00x" "shared load +50960 +203840 +1.00x"
        "shared store +6272 +25088 +1.00x")
  string(MAKE_C_IDENTIFIER "${access}" name)
  ladder_step_expect(modern/leaf/${name} 0 "${access}" --n 256 --levels 2 --variant two-levels
                     --gpu modern --report)
endforeach()
ladder_step_expect(modern/edges 0 "right: 5 of 5" --m 300 --n 200 --k 129 --levels 3 --count)
ladder_test_property(modern/edges COST 22)
# The default of --beside goes with the precision.
ladder_step_expect(modern/beside/f32 0 ".beside.:264," --n 16 --json)
ladder_step_expect(modern/beside/f64 0 ".beside.:44," --n 16 --json --precision f64)
# The fused level: no temporaries at one level, two above it; every tile's edges; the bytes that it
# moves (A's and B's quadrants 14 times each in all and one tile more, C's 10 times), no bank
# conflicts.
ladder_step_expect(modern/fused/one-level 0 "workspace_bytes.:0," --n 256 --levels 1 --variant fused
                   --json)
ladder_step_expect(modern/fused/two-levels 0 "workspace_bytes.:131072," --n 256 --levels 2
                   --variant fused --json)
foreach(size "--n 257" "--m 300 --n 200 --k 129" "--m 1032 --n 40 --k 24" "--m 40 --n 1300 --k 17")
  foreach(levels 1 2 3)
    string(REPLACE " " "" name "${size}--levels${levels}")
    separate_arguments(arguments UNIX_COMMAND "${size}")
    ladder_step_expect(modern/fused/${name} 0 "right: 1 of 1" --variant fused --input integers
                       --levels ${levels} --count ${arguments})
  endforeach()
endforeach()
ladder_step_expect(modern/fused/bytes 0 "counted 79104 transactions, 2531328 bytes" --n 256
                   --levels 1 --variant fused --gpu modern --count)
ladder_step_expect(modern/fused/banks 0 "shared store +3648 +3648 +1.00x" --n 256 --levels 1
                   --variant fused --gpu modern --report)
# What needs a GPU says so.
ladder_step_expect(no-times/rungs/19 3 "--rungs: the simulated GPU has no times" --rungs)
