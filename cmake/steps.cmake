# One program per step: the step's source once for each precision, main.c, the runner, one backend.

# ladder_objects(<program> <precision> <source>): the step's table in one precision.
function(ladder_objects program precision source)
  string(TOUPPER ${precision} upper)
  add_library(${program}_${precision} OBJECT ${source})
  target_compile_definitions(${program}_${precision} PRIVATE LADDER_${upper})
  target_link_libraries(${program}_${precision} PRIVATE ladder_flags)
  target_sources(${program} PRIVATE $<TARGET_OBJECTS:${program}_${precision}>)
endfunction()

# ladder_step(01-cpu-naive [PRECISIONS f32 f64 i32]): a step on the processor.
function(ladder_step name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PRECISIONS")
  if(NOT arg_PRECISIONS)
    set(arg_PRECISIONS f32 f64)
  endif()
  add_executable(${name} ${CMAKE_SOURCE_DIR}/common/main.c)
  foreach(precision IN LISTS arg_PRECISIONS)
    ladder_objects(${name} ${precision} ${CMAKE_SOURCE_DIR}/steps/${name}/${name}.c)
    target_compile_options(${name}_${precision} PRIVATE -O3)
  endforeach()
  target_link_libraries(${name} PRIVATE ladder_cpu)
endfunction()

# ladder_gpu_step(06-gpu-naive): a CUDA step, as NN-name for a GPU where nvcc is, and always as
# NN-name.sim on the simulated GPU: there f32 is built counting too (the models are for f32).
function(ladder_gpu_step name)
  if(NOT LADDER_GPU_STEPS)
    return()
  endif()
  set(source ${CMAKE_SOURCE_DIR}/steps/${name}/${name}.cu)
  if(LADDER_HAVE_CUDA)
    add_executable(${name} ${CMAKE_SOURCE_DIR}/common/main.c)
    foreach(precision f32 f64)
      ladder_objects(${name} ${precision} ${source})
    endforeach()
    target_link_libraries(${name} PRIVATE ladder_cuda)
  endif()
  set(program ${name}.sim)
  add_executable(${program} ${CMAKE_SOURCE_DIR}/common/main.c)
  simgpu_objects(${program}_f32 SOURCES ${source} DEFINES LADDER_F32 LADDER_SIM
                 INCLUDES ${CMAKE_SOURCE_DIR})
  simgpu_objects(${program}_f64 SOURCES ${source} DEFINES LADDER_F64 LADDER_SIM
                 INCLUDES ${CMAKE_SOURCE_DIR})
  simgpu_objects(${program}_f32_traced SOURCES ${source} DEFINES LADDER_F32 LADDER_SIM LADDER_TRACED
                 INCLUDES ${CMAKE_SOURCE_DIR} TRACED)
  foreach(objects ${program}_f32 ${program}_f64 ${program}_f32_traced)
    target_compile_options(${objects} PRIVATE -Wno-missing-field-initializers
      -Wno-unused-parameter $<$<BOOL:${LADDER_WERROR}>:-Werror>)
    target_sources(${program} PRIVATE $<TARGET_OBJECTS:${objects}>)
  endforeach()
  target_link_libraries(${program} PRIVATE ladder_sim)
endfunction()
