# Steps. Every folder steps/NN-name with a step.cmake is a step, and step.cmake says all that the build
# knows about it: its program (ladder_step, below), its tests (cmake/tests.cmake) and what else it
# makes. There `step` is the folder's name, `folder` its path and `kind` cpu or gpu: gpu when its
# main source is NN-name.cu instead of NN-name.c.
#
# A step has one program a precision:
#   NN-name          the step's first precision, on the processor or, where CUDA is enabled, on a GPU
#   NN-name.f64      another one; `NN-name --precision f64` runs it
#   NN-name.sim, NN-name.f64.sim   a GPU step on the simulated GPU; the first precision counts, too

# Finds the steps and includes each one's step.cmake. Writes what other programs want to know about
# them into steps.tsv in the build folder, a line a step, with tabs between:
#   name  kind  precisions  tour  sanitizer-levels  tour-sim  bench-upto
# see ladder_step() for what these are. Fields are never empty: `-` stands for nothing.
function(ladder_add_steps)
  ladder_watch_folder(${PROJECT_SOURCE_DIR}/steps)
  file(GLOB folders ${PROJECT_SOURCE_DIR}/steps/[0-9][0-9]-*)
  foreach(folder IN LISTS folders)
    if(NOT EXISTS ${folder}/step.cmake)
      ladder_watch_folder(${folder})
      continue()
    endif()
    get_filename_component(step ${folder} NAME)
    set(kind cpu)
    if(EXISTS ${folder}/${step}.cu)
      set(kind gpu)
    endif()
    if(kind STREQUAL cpu OR LADDER_GPU_STEPS)
      include(${folder}/step.cmake)
    endif()
  endforeach()
  get_property(table GLOBAL PROPERTY LADDER_STEPS_TABLE)
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/steps.tsv CONTENT "${table}")
endfunction()

# The build configures itself again when something is added to or removed from a folder: a folder's
# time of change is enough to see that, and costs nothing at each build.
function(ladder_watch_folder folder)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder})
endfunction()

# Everything that runs on a GPU, to be built alone (tools/bench-gpu).
add_custom_target(gpu-programs)

# ladder_step(...): the programs of the step whose step.cmake calls it.
#   SOURCES a.c b.c        default: NN-name.c or .cu alone; paths from the step's folder
#   PRECISIONS f32 f64     default; i32 is possible, too
#   TOUR --n 512 ...       its program's options on the tour: with them, the whole tour ends within
#                          two minutes (default: --n 1024 --reps 3; on a GPU --n 4096)
#   SIM_TOUR --n 256       the same for the simulated GPU (default: --n 256, which is counted)
#   SANITIZER_LEVELS 2     levels that compute-sanitizer's small matrices would not get by themselves
#   BENCH_UPTO 4096        the largest n that tools/bench-gpu measures; 0: none, it measures itself
# Sets step_precisions for the tests.
function(ladder_step)
  cmake_parse_arguments(arg "" "SANITIZER_LEVELS;BENCH_UPTO" "SOURCES;PRECISIONS;TOUR;SIM_TOUR" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${step}/step.cmake: ladder_step does not take ${arg_UNPARSED_ARGUMENTS}")
  endif()
  ladder_default(arg_PRECISIONS f32 f64)
  ladder_default(arg_SIM_TOUR --n 256)
  ladder_default(arg_SANITIZER_LEVELS -)
  ladder_default(arg_BENCH_UPTO -)
  if(kind STREQUAL cpu)
    ladder_default(arg_SOURCES ${step}.c)
    ladder_default(arg_TOUR --n 1024 --reps 3)
    set(arg_SIM_TOUR -)
  else()
    ladder_default(arg_SOURCES ${step}.cu)
    ladder_default(arg_TOUR --n 4096)
  endif()
  list(TRANSFORM arg_SOURCES PREPEND ${folder}/)
  if(kind STREQUAL cpu)
    ladder_cpu_program(${step} "${arg_PRECISIONS}" "${arg_SOURCES}")
  else()
    ladder_gpu_program(${step} "${arg_PRECISIONS}" "${arg_SOURCES}")
  endif()
  string(REPLACE ";" " " row "${arg_PRECISIONS}\t${arg_TOUR}\t${arg_SANITIZER_LEVELS}\t${arg_SIM_TOUR}")
  set_property(GLOBAL APPEND_STRING PROPERTY LADDER_STEPS_TABLE
               "${step}\t${kind}\t${row}\t${arg_BENCH_UPTO}\n")
  set(step_precisions ${arg_PRECISIONS} PARENT_SCOPE)
endfunction()

function(ladder_default variable)
  if(NOT DEFINED ${variable})
    set(${variable} ${ARGN} PARENT_SCOPE)
  endif()
endfunction()

# ladder_objects(<program> <precision> <sources>): the step's table in one precision.
function(ladder_objects program precision sources)
  string(TOUPPER ${precision} upper)
  add_library(${program}_${precision} OBJECT ${sources})
  target_compile_definitions(${program}_${precision} PRIVATE LADDER_${upper})
  target_link_libraries(${program}_${precision} PRIVATE ladder_flags)
  target_sources(${program} PRIVATE $<TARGET_OBJECTS:${program}_${precision}>)
endfunction()

function(ladder_cpu_program program precisions sources)
  add_executable(${program} ${PROJECT_SOURCE_DIR}/common/main.c)
  foreach(precision IN LISTS precisions)
    ladder_objects(${program} ${precision} "${sources}")
    target_compile_options(${program}_${precision} PRIVATE -O3)
  endforeach()
  target_link_libraries(${program} PRIVATE ladder_cpu)
endfunction()

# A CUDA step: for a GPU where CUDA is enabled, and always for the simulated GPU, where the first
# precision is built counting too.
function(ladder_gpu_program program precisions sources)
  if(LADDER_HAVE_CUDA)
    add_executable(${program} ${PROJECT_SOURCE_DIR}/common/main.c)
    foreach(precision IN LISTS precisions)
      ladder_objects(${program} ${precision} "${sources}")
    endforeach()
    target_link_libraries(${program} PRIVATE ladder_cuda)
    add_dependencies(gpu-programs ${program})
  endif()
  set(program ${program}.sim)
  add_executable(${program} ${PROJECT_SOURCE_DIR}/common/main.c)
  foreach(precision IN LISTS precisions)
    ladder_simulated_objects(${program} ${precision} "${sources}")
  endforeach()
  list(GET precisions 0 counted)
  ladder_simulated_objects(${program} ${counted} "${sources}" TRACED)
  target_link_libraries(${program} PRIVATE ladder_sim)
endfunction()

# ladder_simulated_objects(<program> <precision> <sources> [TRACED]): the step's table for the
# simulated GPU, with TRACED in the build that is counted.
function(ladder_simulated_objects program precision sources)
  string(TOUPPER ${precision} upper)
  set(objects ${program}_${precision})
  set(defines LADDER_${upper} LADDER_SIM)
  if(ARGN STREQUAL TRACED)
    string(APPEND objects _traced)
    list(APPEND defines LADDER_TRACED)
  endif()
  simgpu_objects(${objects} SOURCES ${sources} DEFINES ${defines} INCLUDES ${PROJECT_SOURCE_DIR}
                 ${ARGN})
  target_compile_options(${objects} PRIVATE -Wno-missing-field-initializers -Wno-unused-parameter
                         $<$<BOOL:${LADDER_WERROR}>:-Werror>)
  target_sources(${program} PRIVATE $<TARGET_OBJECTS:${objects}>)
endfunction()
