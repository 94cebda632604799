# Steps. Every folder steps/NN-name with a CMakeLists.txt is a step, and this file holds all that the build
# knows about steps: a step's program (ladder_step, below), its tests (cmake/tests.cmake) and what else it
# makes. In these files `step` is the folder's name, `folder` its path and `kind` cpu or gpu: gpu if its
# main source is NN-name.cu instead of NN-name.c.
#
# A step has one program for each precision:
#   NN-name          the step's first precision, on the processor or, where CUDA is enabled, on a GPU
#   NN-name.f64      another one; `NN-name --precision f64` becomes it
#   NN-name.sim, NN-name.f64.sim   a GPU step on the simulated GPU; only the first precision counts

# Finds the steps and adds each one's folder. Writes what other programs need to know about
# them into steps.tsv in the build folder, one line for each step, with tabs between:
#   name  kind  precisions  tour  sanitizer-levels  tour-sim  bench-upto
# see ladder_step() for what these are. Fields are never empty: `-` means nothing.
function(ladder_add_steps)
  ladder_watch_folder(${PROJECT_SOURCE_DIR}/steps)
  file(GLOB folders ${PROJECT_SOURCE_DIR}/steps/[0-9][0-9]-*)
  foreach(folder IN LISTS folders)
    if(NOT EXISTS ${folder}/CMakeLists.txt)
      ladder_watch_folder(${folder})
      continue()
    endif()
    get_filename_component(step ${folder} NAME)
    set(kind cpu)
    if(EXISTS ${folder}/${step}.cu)
      set(kind gpu)
    endif()
    if(LADDER_ALONE)
      string(COMPARE EQUAL ${step} ${LADDER_ALONE} BUILD_TESTING)
    endif()
    if(kind STREQUAL cpu OR LADDER_GPU_STEPS)
      add_subdirectory(${folder} ${PROJECT_BINARY_DIR}/steps/${step})
    endif()
  endforeach()
  get_property(table GLOBAL PROPERTY LADDER_STEPS_TABLE)
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/steps.tsv CONTENT "${table}")
endfunction()

# The build configures itself again when something is added to or removed from a folder: the folder's
# modification time shows that, and looking at it costs nothing at each build.
function(ladder_watch_folder folder)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder})
endfunction()

# Targets that are built by themselves: everything that runs on a GPU (tools/measure/gpu), what ./ladder bench times,
# and what logs for the site's players (a step with a player.json, docs/site/players.py).
add_custom_target(gpu-programs)
add_custom_target(timed-programs)
add_custom_target(player-programs)

# ladder_step(...): the programs of the step whose CMakeLists.txt calls it.
#   SOURCES a.c b.c        default: NN-name.c or .cu alone; paths from the step's folder
#   PRECISIONS f32 f64     default; i32 is possible, too
#   TOUR --n 512 ...       its program's options on the tour: with them, the whole tour ends within
#                          a minute (default: --n 1024 --reps 3; on a GPU --n 4096 --reps 3, and where a step
#                          has several variants the one that it is about)
#   SIM_TOUR --n 256       the same for the simulated GPU (default: --n 256, which is counted)
#   SANITIZER_LEVELS 2     levels that compute-sanitizer's small matrices would not get by themselves
#   CUBLAS --levels 2      options of cublas/STEP, which compares the step's product with cuBLAS's (ladder_cublas)
#   BENCH_UPTO 4096        the largest n that tools/measure/gpu measures; 0: none, the step measures itself
# Sets step_precisions for the tests. A step that lists none gets the ordinary ones at the end of its file.
function(ladder_step)
  cmake_parse_arguments(arg "" "SANITIZER_LEVELS;BENCH_UPTO" "SOURCES;PRECISIONS;TOUR;SIM_TOUR;CUBLAS" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${step}/CMakeLists.txt: ladder_step does not take ${arg_UNPARSED_ARGUMENTS}")
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
    ladder_default(arg_TOUR --n 4096 --reps 3)
  endif()
  list(TRANSFORM arg_SOURCES PREPEND ${folder}/)
  if(kind STREQUAL cpu)
    ladder_cpu_programs("${arg_PRECISIONS}" "${arg_SOURCES}")
  else()
    ladder_gpu_programs("${arg_PRECISIONS}" "${arg_SOURCES}")
  endif()
  string(REPLACE ";" " " row "${arg_PRECISIONS}\t${arg_TOUR}\t${arg_SANITIZER_LEVELS}\t${arg_SIM_TOUR}")
  set_property(GLOBAL APPEND_STRING PROPERTY LADDER_STEPS_TABLE
               "${step}\t${kind}\t${row}\t${arg_BENCH_UPTO}\n")
  set(step_precisions ${arg_PRECISIONS} PARENT_SCOPE)
  set(step_cublas ${arg_CUBLAS} PARENT_SCOPE)
  cmake_language(DEFER CALL ladder_tests_if_none)
endfunction()

# Labels the folder's tests with the numbers of the step and of those from which it takes files, also through others, so that
# `./ladder test NN` runs what a change of step NN may break.
function(ladder_label_tests)
  string(SUBSTRING ${step} 0 2 numbers)
  file(GLOB sources ${folder}/*.[ch] ${folder}/*.cu ${folder}/*.cuh ${folder}/*/*.[ch] ${folder}/*/*.cu ${folder}/*/*.cuh
       ${folder}/CMakeLists.txt)
  foreach(source IN LISTS sources)
    file(STRINGS ${source} lines REGEX "steps/[0-9][0-9]-|[.][.]/[0-9][0-9]-")
    string(REGEX MATCHALL "(steps|[.][.])/[0-9][0-9]-" taken "${lines}")
    list(TRANSFORM taken REPLACE ".*/([0-9][0-9])-" "\\1")
    foreach(other IN LISTS taken)
      list(APPEND numbers ${other} ${LADDER_TAKEN_BY_${other}})
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES numbers)
  string(SUBSTRING ${step} 0 2 own)
  set(LADDER_TAKEN_BY_${own} ${numbers} CACHE INTERNAL "")
  get_property(names DIRECTORY PROPERTY TESTS)
  foreach(name IN LISTS names)
    set_property(TEST ${name} APPEND PROPERTY LABELS ${numbers})
  endforeach()
endfunction()

# ladder_step_links(libraries): further libraries that all programs of the step link.
function(ladder_step_links)
  foreach(precision "" .f32 .f64 .i32)
    foreach(program ${step}${precision} ${step}${precision}.sim)
      if(TARGET ${program})
        target_link_libraries(${program} PRIVATE ${ARGN})
      endif()
    endforeach()
  endforeach()
endfunction()

function(ladder_default variable)
  if(NOT DEFINED ${variable})
    set(${variable} ${ARGN} PARENT_SCOPE)
  endif()
endfunction()

# The name of a step's program for one of its precisions; see the top.
function(ladder_program_name result precision precisions)
  list(GET precisions 0 first)
  set(${result} ${step} PARENT_SCOPE)
  if(NOT precision STREQUAL first)
    set(${result} ${step}.${precision} PARENT_SCOPE)
  endif()
endfunction()

# ladder_executable(<program> <precision> <precisions>): a program of the step with main() in it, which gets
# its step's name (or another by which its precisions are called, NAME) and the list of precisions to which its own
# belongs.
function(ladder_executable program precision precisions)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "NAME" "")
  ladder_default(arg_NAME ${step})
  string(REPLACE ";" " " all "${precisions}")
  string(TOUPPER ${precision} upper)
  add_executable(${program} ${PROJECT_SOURCE_DIR}/tools/lab/program/step_main.c)
  target_link_libraries(${program} PRIVATE ladder_mistakes)
  target_compile_definitions(${program} PRIVATE LADDER_${upper} LADDER_STEP="${arg_NAME}"
                             LADDER_PRECISIONS="${all}")
endfunction()

function(ladder_cpu_programs precisions sources)
  foreach(precision IN LISTS precisions)
    ladder_program_name(program ${precision} "${precisions}")
    ladder_executable(${program} ${precision} "${precisions}")
    target_sources(${program} PRIVATE ${sources})
    target_compile_options(${program} PRIVATE ${LADDER_OPTIMISATION})
    target_link_libraries(${program} PRIVATE ladder_cpu ladder_native)
    # The checker comes first: a function of the step with the name of one of the checker's is an error.
    target_link_options(${program} PRIVATE -Wl,-u,run_step $<TARGET_FILE:ladder_common>)
    if(NOT LADDER_SANITIZE)
      add_custom_command(TARGET ${program} POST_BUILD
                         COMMAND ${PROJECT_SOURCE_DIR}/cmake/replaced.sh ${CMAKE_NM} ${CMAKE_READELF} $<TARGET_FILE:${program}>
                         $<TARGET_OBJECTS:${program}> COMMAND_EXPAND_LISTS)
    endif()
    if(NOT precision STREQUAL i32)
      add_dependencies(timed-programs ${program})
    endif()
  endforeach()
endfunction()

# ladder_packed(): links step 02's packed product into the step's programs.
function(ladder_packed)
  foreach(precision IN ITEMS f32 f64)
    ladder_program_name(program ${precision} "${step_precisions}")
    target_link_libraries(${program} PRIVATE packed_${precision})
  endforeach()
endfunction()

# ladder_lends(sources): files of the step that later steps compile into their programs, too. They take a compiler many
# seconds, so each is compiled once for each precision. Before ladder_step().
function(ladder_lends)
  list(TRANSFORM ARGN PREPEND ${folder}/)
  set_property(GLOBAL APPEND PROPERTY LADDER_LENT ${ARGN})
endfunction()

# ladder_compiled_once(<result> <precision> <build> <sources>): the sources, with objects in the place of those that are
# lent. `build` is gpu, or plain or traced on the simulated GPU.
function(ladder_compiled_once result precision build sources)
  get_property(lent GLOBAL PROPERTY LADDER_LENT)
  string(TOUPPER ${precision} upper)
  set(objects "")
  foreach(source IN LISTS sources)
    get_filename_component(source ${source} ABSOLUTE)
    if(source IN_LIST lent)
      get_filename_component(name ${source} NAME_WE)
      set(name lent_${name}_${precision}_${build})
      if(TARGET ${name})
      elseif(build STREQUAL "gpu")
        add_library(${name} OBJECT ${source})
        target_compile_definitions(${name} PRIVATE LADDER_${upper})
        target_link_libraries(${name} PRIVATE ladder_flags CUDA::cublas)
      else()
        ladder_simulated_objects(${name} ${precision} ${source} ${build})
      endif()
      set(source $<TARGET_OBJECTS:${name}>)
    endif()
    list(APPEND objects ${source})
  endforeach()
  set(${result} ${objects} PARENT_SCOPE)
endfunction()

# A CUDA step: for a GPU where CUDA is enabled, and always for the simulated GPU. There the program
# for the first precision holds the step twice, the second time built for counting.
function(ladder_gpu_programs precisions sources)
  list(GET precisions 0 first)
  if(TARGET editor)
    string(TOUPPER ${first} upper)
    file(GLOB own ${folder}/*.cu ${folder}/*/*.cu)
    set_source_files_properties(${own} DIRECTORY ${PROJECT_SOURCE_DIR}/cmake/editor PROPERTIES COMPILE_DEFINITIONS LADDER_${upper})
  endif()
  foreach(precision IN LISTS precisions)
    ladder_program_name(program ${precision} "${precisions}")
    if(LADDER_HAVE_CUDA)
      ladder_executable(${program} ${precision} "${precisions}")
      ladder_compiled_once(objects ${precision} gpu "${sources}")
      target_sources(${program} PRIVATE ${objects})
      target_link_libraries(${program} PRIVATE ladder_cuda)
      add_dependencies(gpu-programs ${program})
      add_dependencies(timed-programs ${program})
    endif()
    set(program ${program}.sim)
    ladder_executable(${program} ${precision} "${precisions}")
    target_link_libraries(${program} PRIVATE ladder_sim)
    ladder_simulated_program(${program}_plain ${precision} plain "${sources}")
    get_target_property(objects ${program}_plain LADDER_OBJECTS)
    target_sources(${program} PRIVATE ${objects})
    if(precision STREQUAL first)
      ladder_simulated_program(${program}_traced ${precision} traced "${sources}")
      ladder_one_object(${program}_traced step_${precision}_traced)
      target_sources(${program} PRIVATE ${PROJECT_BINARY_DIR}/simgpu/${program}_traced.o)
      add_dependencies(${program} ${program}_traced) # make does not see this from the files
      if(EXISTS ${folder}/player.json)
        add_dependencies(player-programs ${program})
      endif()
    endif()
  endforeach()
endfunction()

# ladder_simulated_program(<target> <precision> plain|traced <sources>): the sources of a step for the simulated GPU.
# The target's LADDER_OBJECTS are its own and those that are compiled once.
function(ladder_simulated_program target precision build sources)
  ladder_compiled_once(all ${precision} ${build} "${sources}")
  set(own ${all})
  list(FILTER own EXCLUDE REGEX "TARGET_OBJECTS")
  list(FILTER all INCLUDE REGEX "TARGET_OBJECTS")
  ladder_simulated_objects(${target} ${precision} "${own}" ${build})
  set_property(TARGET ${target} APPEND PROPERTY LADDER_OBJECTS ${all})
  if(all) # make does not see from the objects, which other folders make, that they come before what is made of them
    string(REGEX REPLACE "[$]<TARGET_OBJECTS:([^>]*)>" "\\1" lent "${all}")
    add_dependencies(${target} ${lent})
  endif()
endfunction()

# ladder_simulated_objects(<target> <precision> <sources> plain|traced [definitions]): these sources for the simulated
# GPU; traced: in the build that counts.
function(ladder_simulated_objects target precision sources build)
  string(TOUPPER ${precision} upper)
  set(defines LADDER_${upper} LADDER_SIM LADDER_SM90A ${ARGN})
  set(watched "")
  if(build STREQUAL "traced")
    list(APPEND defines LADDER_TRACED)
    set(watched TRACED)
  endif()
  simgpu_objects(${target} SOURCES ${sources} DEFINES ${defines} INCLUDES ${PROJECT_SOURCE_DIR} ${watched})
  target_compile_options(${target} PRIVATE -Wno-missing-field-initializers
                         $<$<BOOL:${LADDER_WERROR}>:-Werror>)
  set_target_properties(${target} PROPERTIES LADDER_OBJECTS $<TARGET_OBJECTS:${target}>)
endfunction()

# ladder_one_object(<target> <symbol>): makes one object file of the target's LADDER_OBJECTS, in which all
# names but one are local, because the plain build of the same sources in the same program has them, too.
function(ladder_one_object target symbol)
  get_target_property(objects ${target} LADDER_OBJECTS)
  set(output ${PROJECT_BINARY_DIR}/simgpu/${target}.o)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_CXX_COMPILER} -r -nostdlib -Wl,--force-group-allocation -o ${output} ${objects}
    COMMAND ${CMAKE_OBJCOPY} --keep-global-symbol=${symbol} ${output}
    DEPENDS ${objects}
    COMMAND_EXPAND_LISTS VERBATIM
    COMMENT "Joining ${target}")
  set_source_files_properties(${output} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
endfunction()
