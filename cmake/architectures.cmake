# Which GPUs to compile for. Functions only, so that tests/gemm/architectures.cmake can call them without a compiler.

# The compute capabilities of this machine's GPUs, as "90"; empty without one.
function(ladder_present_gpus result)
  set(capabilities "")
  find_program(NVIDIA_SMI nvidia-smi)
  mark_as_advanced(NVIDIA_SMI)
  if(NVIDIA_SMI)
    execute_process(COMMAND ${NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
                    OUTPUT_VARIABLE lines RESULT_VARIABLE status ERROR_QUIET)
    if(status EQUAL 0)
      string(REGEX MATCHALL "[0-9]+\\.[0-9]" capabilities "${lines}")
      list(TRANSFORM capabilities REPLACE "\\." "")
      list(REMOVE_DUPLICATES capabilities)
    endif()
  endif()
  set(${result} "${capabilities}" PARENT_SCOPE)
endfunction()

# The architectures for kernels that use Hopper's tensor cores: these instructions exist on sm_90a only, so it takes the
# place of sm_90. CMake's words for several architectures become the list that they mean.
function(ladder_hopper_architectures architectures result)
  if(architectures STREQUAL "native")
    ladder_present_gpus(present)
    if(present)
      list(TRANSFORM present APPEND "-real" OUTPUT_VARIABLE architectures)
    endif()
  elseif(architectures MATCHES "^all(-major)?$")
    execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-arch OUTPUT_VARIABLE lines)
    string(REGEX MATCHALL "[0-9]+" every "${lines}")
    list(SORT every COMPARE NATURAL)
    list(GET every 0 oldest)
    if(architectures STREQUAL "all-major") # as nvcc means it: sm_*0, and the oldest
      list(FILTER every INCLUDE REGEX "0$")
      list(PREPEND every ${oldest})
      list(REMOVE_DUPLICATES every)
    endif()
    list(POP_BACK every newest) # also as PTX, which later GPUs compile for themselves
    list(TRANSFORM every APPEND "-real")
    set(architectures ${every} ${newest})
  endif()
  list(TRANSFORM architectures REPLACE "^90a?(-real|-virtual)?$" "90a-real")
  list(REMOVE_DUPLICATES architectures)
  set(${result} "${architectures}" PARENT_SCOPE)
endfunction()
