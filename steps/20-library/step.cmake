# ladder_gemm.h for other programs. Its files are C, but methods.cu, which is there once a precision:
#   ladder_gemm        static, for the programs here; for a GPU, where CUDA is enabled
#   ladder_gemm_sim    the same on the simulated GPU
#   ladder_gemm_so     libladder_gemm.so, which is installed; where CUDA is enabled
set(library_sources gemm.c find_plan.c handle.c layout.c plans.c search.c)
list(TRANSFORM library_sources PREPEND ${folder}/)
list(APPEND library_sources ${PROJECT_SOURCE_DIR}/common/measure/bench.c ${PROJECT_SOURCE_DIR}/common/device/timer.c)
# The list of the methods that later steps add, see ladder_gemm_add() below.
set(added "$<TARGET_PROPERTY:ladder_gemm_sim,LADDER_GEMM_ADDED>")
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/ladder_gemm/added.c CONTENT
"#include \"steps/20-library/methods.h\"
$<$<BOOL:${added}>:extern const struct method $<JOIN:${added},, >$<SEMICOLON>
>const struct method *const ladder_added[] = {$<$<BOOL:${added}>:&$<JOIN:${added},, &>, >NULL}$<SEMICOLON>
")
list(APPEND library_sources ${PROJECT_BINARY_DIR}/ladder_gemm/added.c)
if(LADDER_HAVE_CUDA)
  foreach(precision F32 F64)
    add_library(ladder_gemm_${precision} OBJECT ${folder}/methods.cu)
    target_compile_definitions(ladder_gemm_${precision} PRIVATE LADDER_${precision})
    target_link_libraries(ladder_gemm_${precision} PRIVATE ladder_flags)
    set_target_properties(ladder_gemm_${precision} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endforeach()
  add_library(ladder_gemm_c OBJECT ${library_sources})
  set_target_properties(ladder_gemm_c PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(ladder_gemm_c PRIVATE ladder_flags CUDA::cublas)
  set(library_objects $<TARGET_OBJECTS:ladder_gemm_F32> $<TARGET_OBJECTS:ladder_gemm_F64>
                      $<TARGET_OBJECTS:ladder_gemm_c>)
  add_library(ladder_gemm STATIC ${library_objects})
  set_target_properties(ladder_gemm PROPERTIES LINKER_LANGUAGE CUDA)
  target_include_directories(ladder_gemm INTERFACE ${folder})
  target_link_libraries(ladder_gemm PUBLIC ladder_flags CUDA::cublas CUDA::cudart m)
  include(${folder}/install.cmake)
endif()
foreach(precision F32 F64)
  simgpu_objects(ladder_gemm_sim_${precision} SOURCES ${folder}/methods.cu
                 DEFINES LADDER_${precision} LADDER_SIM INCLUDES ${PROJECT_SOURCE_DIR} ${folder})
  target_compile_options(ladder_gemm_sim_${precision} PRIVATE -Wno-missing-field-initializers
                         -Wno-unused-parameter $<$<BOOL:${LADDER_WERROR}>:-Werror>)
  # For tests/gemm, too, where they go into a shared library.
  set_target_properties(ladder_gemm_sim_${precision} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endforeach()
add_library(ladder_gemm_sim STATIC ${library_sources} $<TARGET_OBJECTS:ladder_gemm_sim_F32>
                                   $<TARGET_OBJECTS:ladder_gemm_sim_F64>)
set_target_properties(ladder_gemm_sim PROPERTIES LINKER_LANGUAGE CXX)
target_compile_definitions(ladder_gemm_sim PUBLIC LADDER_SIM)
target_include_directories(ladder_gemm_sim INTERFACE ${folder})
target_link_libraries(ladder_gemm_sim PUBLIC ladder_flags simgpu simgpu_cuda_headers)

# ladder_gemm_add(<methods> SOURCES ...): methods of a later step for the library. Each name in the list
# is that of a `const struct method` (methods.h) that the sources define; they are compiled for float.
# The library's list of them is written when all steps are known.
function(ladder_gemm_add methods)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES")
  set_property(TARGET ladder_gemm_sim APPEND PROPERTY LADDER_GEMM_ADDED ${methods})
  set_property(TARGET ladder_gemm_sim APPEND PROPERTY LADDER_GEMM_ADDED_SOURCES ${arg_SOURCES})
  set(library ${PROJECT_SOURCE_DIR}/steps/20-library)
  simgpu_objects(ladder_gemm_sim_${step} SOURCES ${arg_SOURCES} DEFINES LADDER_F32 LADDER_SIM
                 INCLUDES ${PROJECT_SOURCE_DIR} ${library})
  target_compile_options(ladder_gemm_sim_${step} PRIVATE -Wno-missing-field-initializers
                         -Wno-unused-parameter $<$<BOOL:${LADDER_WERROR}>:-Werror>)
  target_sources(ladder_gemm_sim PRIVATE $<TARGET_OBJECTS:ladder_gemm_sim_${step}>)
  if(LADDER_HAVE_CUDA)
    add_library(ladder_gemm_${step} OBJECT ${arg_SOURCES})
    target_compile_definitions(ladder_gemm_${step} PRIVATE LADDER_F32)
    target_include_directories(ladder_gemm_${step} PRIVATE ${library})
    target_link_libraries(ladder_gemm_${step} PRIVATE ladder_flags)
    set_target_properties(ladder_gemm_${step} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    foreach(target ladder_gemm ladder_gemm_so ladder_gemm_preload)
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:ladder_gemm_${step}>)
    endforeach()
  endif()
endfunction()

# ladder_gemm_program(<program> sources...): a C program over it.
function(ladder_gemm_program program)
  if(LADDER_HAVE_CUDA)
    add_executable(${program} ${ARGN})
    target_link_libraries(${program} PRIVATE ladder_gemm)
    add_dependencies(gpu-programs ${program})
  endif()
  add_executable(${program}.sim ${ARGN})
  target_link_libraries(${program}.sim PRIVATE ladder_gemm_sim)
endfunction()
ladder_gemm_program(20-example ${folder}/example.c)
ladder_gemm_program(20-tuner ${folder}/tuner.c ${PROJECT_SOURCE_DIR}/common/measure/json.c)

ladder_step(SANITIZER_LEVELS 2 BENCH_UPTO 0)
foreach(program 20-library 20-library.f64)
  target_link_libraries(${program}.sim PRIVATE ladder_gemm_sim)
  if(LADDER_HAVE_CUDA)
    target_link_libraries(${program} PRIVATE ladder_gemm)
  endif()
endforeach()
ladder_step_expect(library/small 0 "right: 2 of 2" --n 100 --levels 2)
ladder_step_expect(library/box 0 "right: 2 of 2" --m 33 --n 64 --k 70 --levels 1)
