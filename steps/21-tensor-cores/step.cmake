ladder_step(SOURCES 21-tensor-cores.cu leaf.cu operands.cu rungs.cu split.cu PRECISIONS f32
            TOUR --n 8192 SANITIZER_LEVELS 2 BENCH_UPTO 0)

# The matrix instructions are there for sm_90a only, not for sm_90.
if(TARGET ${step})
  set(architectures ${CMAKE_CUDA_ARCHITECTURES})
  list(TRANSFORM architectures REPLACE "^90(-real|-virtual)?$" "90a-real")
  set_target_properties(${step} PROPERTIES CUDA_ARCHITECTURES "${architectures}")
  if("90a-real" IN_LIST architectures)
    target_compile_definitions(${step} PRIVATE LADDER_SM90A)
  endif()
endif()

ladder_sizes(--levels 0)
ladder_sizes(--levels 1)
ladder_sizes(--levels 2)
ladder_shuffle()
ladder_bad_options(RECURSIVE)
