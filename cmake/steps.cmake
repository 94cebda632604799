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

# Everything that runs on a GPU, to be built alone (tools/bench-gpu).
add_custom_target(gpu-programs)

# ladder_gpu_step(06-gpu-naive [PRECISIONS f32 f64]): a CUDA step, as NN-name for a GPU where nvcc is,
# and always as NN-name.sim on the simulated GPU: there its first precision is built counting too.
function(ladder_gpu_step name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PRECISIONS")
  if(NOT LADDER_GPU_STEPS)
    return()
  endif()
  if(NOT arg_PRECISIONS)
    set(arg_PRECISIONS f32 f64)
  endif()
  set(source ${CMAKE_SOURCE_DIR}/steps/${name}/${name}.cu)
  if(LADDER_HAVE_CUDA)
    add_executable(${name} ${CMAKE_SOURCE_DIR}/common/main.c)
    foreach(precision IN LISTS arg_PRECISIONS)
      ladder_objects(${name} ${precision} ${source})
    endforeach()
    target_link_libraries(${name} PRIVATE ladder_cuda)
    add_dependencies(gpu-programs ${name})
  endif()
  set(program ${name}.sim)
  add_executable(${program} ${CMAKE_SOURCE_DIR}/common/main.c)
  foreach(precision IN LISTS arg_PRECISIONS)
    ladder_simulated_objects(${program} ${precision} ${source})
  endforeach()
  list(GET arg_PRECISIONS 0 counted)
  ladder_simulated_objects(${program} ${counted} ${source} TRACED)
  target_link_libraries(${program} PRIVATE ladder_sim)
endfunction()

# ladder_simulated_objects(<program> <precision> <source> [TRACED]): the step's table for the
# simulated GPU, with TRACED in the build that is counted.
function(ladder_simulated_objects program precision source)
  string(TOUPPER ${precision} upper)
  set(objects ${program}_${precision})
  set(defines LADDER_${upper} LADDER_SIM)
  if(ARGN STREQUAL TRACED)
    string(APPEND objects _traced)
    list(APPEND defines LADDER_TRACED)
  endif()
  simgpu_objects(${objects} SOURCES ${source} DEFINES ${defines} INCLUDES ${CMAKE_SOURCE_DIR}
                 ${ARGN})
  target_compile_options(${objects} PRIVATE -Wno-missing-field-initializers -Wno-unused-parameter
                         $<$<BOOL:${LADDER_WERROR}>:-Werror>)
  target_sources(${program} PRIVATE $<TARGET_OBJECTS:${objects}>)
endfunction()

# ladder_gemm_program(<program> sources...): a C program over step 18's library, which is built for a
# GPU where nvcc is and always for the simulated one.
function(ladder_gemm_program program)
  if(LADDER_HAVE_CUDA)
    add_executable(${program} ${ARGN})
    target_link_libraries(${program} PRIVATE ladder_gemm)
    add_dependencies(gpu-programs ${program})
  endif()
  add_executable(${program}.sim ${ARGN})
  target_link_libraries(${program}.sim PRIVATE ladder_gemm_sim)
endfunction()

function(ladder_gemm_library)
  set(folder ${CMAKE_SOURCE_DIR}/steps/18-modern)
  if(LADDER_HAVE_CUDA)
    add_library(ladder_gemm STATIC ${folder}/ladder_gemm.cu)
    target_compile_definitions(ladder_gemm PRIVATE LADDER_F32)
    target_include_directories(ladder_gemm INTERFACE ${folder})
    target_link_libraries(ladder_gemm PUBLIC ladder_flags CUDA::cublas CUDA::cudart m)
  endif()
  simgpu_objects(ladder_gemm_objects SOURCES ${folder}/ladder_gemm.cu DEFINES LADDER_F32 LADDER_SIM
                 INCLUDES ${CMAKE_SOURCE_DIR} ${folder})
  target_compile_options(ladder_gemm_objects PRIVATE -Wno-missing-field-initializers
                         -Wno-unused-parameter -Wno-unused-function # modern.cuh has more than it uses
                         $<$<BOOL:${LADDER_WERROR}>:-Werror>)
  add_library(ladder_gemm_sim STATIC $<TARGET_OBJECTS:ladder_gemm_objects>)
  set_target_properties(ladder_gemm_sim PROPERTIES LINKER_LANGUAGE CXX)
  target_compile_definitions(ladder_gemm_sim INTERFACE LADDER_SIM)
  target_include_directories(ladder_gemm_sim INTERFACE ${folder})
  target_link_libraries(ladder_gemm_sim PUBLIC ladder_flags simgpu simgpu_cuda_headers)
endfunction()
