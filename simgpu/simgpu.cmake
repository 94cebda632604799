# The simulated GPU: CUDA sources compiled by the C++ compiler, without any CUDA toolkit.
#
#   include(<folder>/simgpu.cmake)              once, from the project's CMakeLists.txt
#   simgpu_objects(<target> SOURCES a.cu ... [DEFINES D ...] [INCLUDES dir ...] [TRACED])
#       an OBJECT library of CUDA sources. Plain: optimised for speed. TRACED: every access of a
#       kernel is seen by the tracer; SIMGPU_TRACED is defined.
#   simgpu                                      the runtime; link it to the program
#   simgpu_cuda_headers                         <cuda_runtime.h>, for C and C++ sources that only
#                                               call the runtime API
#
# One program may link the plain and the traced objects of one source, for several precisions,
# as long as its kernels and functions are static and each build exports different names.

include_guard(GLOBAL)
enable_language(C)
enable_language(CXX)

option(SIMGPU_UCONTEXT "Switch threads by swapcontext, as on processors other than x86-64" OFF)
option(SIMGPU_NATIVE "Compile simulated kernels for this processor" ON)
# -O3 takes a fifth longer to compile and does not make simulated kernels faster.
set(SIMGPU_OPTIMISATION -O2 CACHE STRING "Optimisation of what is not traced; -O0 compiles ten times as fast")

set(SIMGPU_DIR ${CMAKE_CURRENT_LIST_DIR})

set(rewriter rewrite.c words.c ptx.c launches.c shared.c source_text.c host_code.c)
list(TRANSFORM rewriter PREPEND ${SIMGPU_DIR}/tools/rewrite/)
add_executable(simgpu_rewrite ${rewriter})
target_compile_options(simgpu_rewrite PRIVATE $<$<CONFIG:Release>:-O1>) # it compiles longer than it ever runs
get_filename_component(simgpu_real_dir ${SIMGPU_DIR} REALPATH)
target_compile_definitions(simgpu_rewrite PRIVATE SIMGPU_INCLUDE="${simgpu_real_dir}/include")
set_target_properties(simgpu_rewrite PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/simgpu)

# Headers of CUDA. include/headers.txt lists those without a text of their own, which are made here, each with
# the one line that it needs.
set(SIMGPU_MADE_HEADERS ${CMAKE_CURRENT_BINARY_DIR}/simgpu/include)
set(SIMGPU_INCLUDES ${SIMGPU_DIR}/include ${SIMGPU_MADE_HEADERS})
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${SIMGPU_DIR}/include/headers.txt)
file(STRINGS ${SIMGPU_DIR}/include/headers.txt entries REGEX "^[^#]")
foreach(entry IN LISTS entries)
  string(REGEX MATCH "^([^ ]+) +([=:?]) (.*)$" entry "${entry}")
  set(line "#include <${CMAKE_MATCH_3}>")
  if(CMAKE_MATCH_2 STREQUAL ":")
    set(line "#error \"simgpu: <${CMAKE_MATCH_1}> is not simulated: ${CMAKE_MATCH_3}\"")
  elseif(CMAKE_MATCH_2 STREQUAL "?")
    string(CONCAT line "#if __has_include_next(<${CMAKE_MATCH_1}>)\n#include_next <${CMAKE_MATCH_1}>\n"
      "#else\n#error \"simgpu: <${CMAKE_MATCH_1}>: ${CMAKE_MATCH_3}\"\n#endif")
  endif()
  file(CONFIGURE OUTPUT ${SIMGPU_MADE_HEADERS}/${CMAKE_MATCH_1} CONTENT "${line}\n" @ONLY)
endforeach()
add_library(simgpu_cuda_headers INTERFACE)
target_include_directories(simgpu_cuda_headers INTERFACE ${SIMGPU_INCLUDES})

# The tracer's speed is that of every test, and products' that of tests of tensor cores: they are optimised in
# debug builds too. The other parts would take longer to compile than they ever save. Headers are a third of what there
# is to compile, so the parts are compiled together, in three groups for several cores, except for the fibers, in whose
# place a test has others. Races and strays belong to the tracer: as long as the compiler sees which registers they leave
# alone, an access takes a fifth fewer instructions.
set(once faults/advice tracer/bounds streams/copies libraries/cublas libraries/cublas_handle libraries/cublas_vectors
  api/device_api faults/faults streams/graphs api/memory_api faults/names launch/occupancy
  report/picture report/profile report/report machine/signals streams/spans api/stream_api streams/streams
  machine/symbols memory/vtables libraries/xorwow)
set(often memory/arena threads/async_copies hopper/async_proxy tracer/atomics threads/barriers hopper/boxes
  hopper/bulk_stores hopper/clusters counts/counts threads/kernel_calls launch/launch machine/machine_code
  machine/memory counts/models tracer/phases launch/pool launch/repeats hopper/roles api/texture threads/threads
  tracer/unseen)
set(traced tracer/races tracer/strays tracer/tracer threads/mma hopper/wgmma)
foreach(group once often traced)
  list(TRANSFORM ${group} PREPEND ${SIMGPU_DIR}/src/)
  list(TRANSFORM ${group} APPEND .cpp)
  set_source_files_properties(${${group}} PROPERTIES UNITY_GROUP ${group})
endforeach()
add_library(simgpu_once OBJECT ${once} ${often})
add_library(simgpu STATIC ${traced} ${SIMGPU_DIR}/src/machine/fibers.cpp $<TARGET_OBJECTS:simgpu_once>)
target_compile_options(simgpu PRIVATE -O2)
target_compile_options(simgpu_once PRIVATE -O1)
target_link_libraries(simgpu PUBLIC -pthread ${CMAKE_DL_LIBS} m)
# Position-independent code, for use in a shared library; as fast as other code if names are hidden and
# thread-local variables have their place from the start. Messages name a file of the project by its path in it.
foreach(target simgpu simgpu_once)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PUBLIC ${SIMGPU_DIR} PRIVATE ${SIMGPU_DIR}/include)
  target_compile_features(${target} PUBLIC cxx_std_17)
  target_compile_options(${target} PRIVATE -pthread -Wall -Wextra -fno-sanitize=all -fvisibility=hidden
    -ftls-model=initial-exec $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1000000>)
  target_compile_definitions(${target} PRIVATE
    SIMGPU_DIR="${SIMGPU_DIR}" SIMGPU_SOURCE_ROOT="${PROJECT_SOURCE_DIR}"
    $<$<BOOL:${SIMGPU_UCONTEXT}>:SIMGPU_UCONTEXT=1>)
endforeach()

# -gdwarf-4: every addr2line in use can read it; -g1: source lines only, since nothing else is looked up, and
# they compile in a third of the time that everything would take. Multiplications and additions are fused
# as nvcc does by default. Sanitizers of the surrounding build know nothing of fibers. Callers stay
# on the stack, so that a fault in an API call can be reported at the caller's line.
set(SIMGPU_FLAGS -gdwarf-4 -g1 -ffp-contract=fast -fno-optimize-sibling-calls -fno-sanitize=all
  -Wall -Wextra)
if(CMAKE_BUILD_TYPE STREQUAL "Debug") # gdb shows variables
  list(APPEND SIMGPU_FLAGS -g)
endif()
if(SIMGPU_NATIVE)
  list(APPEND SIMGPU_FLAGS -march=native)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Included CUDA headers become part of the rewritten source. A program may leave parts of a header unused, but
  # Clang would warn of them as if they were the source's own. It also warns of a #pragma unroll that it cannot follow
  # after it has changed the loop; the pragma is meant for nvcc.
  list(APPEND SIMGPU_FLAGS -Wno-unused-function -Wno-unused-const-variable -Wno-pass-failed)
endif()
set(SIMGPU_PLAIN_FLAGS ${SIMGPU_OPTIMISATION})
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # In kernels of unrolled loops GCC spends half its time on the search for repeated loads: limit the search.
  list(APPEND SIMGPU_PLAIN_FLAGS --param=sccvn-max-alias-queries-per-access=100)
endif()
# The optimisation level is part of the measurement, whatever the build type: like nvcc, keep values
# in registers and drop repeated loads; unlike it, never join the accesses of one thread.
set(SIMGPU_TRACED_FLAGS -O2 -fno-tree-vectorize -fno-tree-slp-vectorize -fno-unroll-loops
  -fsanitize=thread)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # A load just before a store to the same place is an access too.
  list(APPEND SIMGPU_TRACED_FLAGS
    "SHELL:-mllvm -tsan-instrument-func-entry-exit=0"
    "SHELL:-mllvm -tsan-instrument-read-before-write=1"
    "SHELL:-mllvm -tsan-distinguish-volatile=1")
else()
  list(APPEND SIMGPU_TRACED_FLAGS --param=tsan-instrument-func-entry-exit=0
    --param=tsan-distinguish-volatile=1 -fno-store-merging
    -fno-tree-loop-distribute-patterns)
endif()

# What the compiler does not announce to the tracer, an assembler of our own adds (tools/assemble.c). GCC looks for
# `as` in the folder of -B first.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-prog-name=as OUTPUT_VARIABLE as OUTPUT_STRIP_TRAILING_WHITESPACE)
  add_executable(simgpu_as ${SIMGPU_DIR}/tools/assemble.c)
  target_compile_definitions(simgpu_as PRIVATE SIMGPU_AS="${as}")
  set_target_properties(simgpu_as PROPERTIES OUTPUT_NAME as RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/simgpu/as)
  set(SIMGPU_AS ${CMAKE_CURRENT_BINARY_DIR}/simgpu/as/ CACHE INTERNAL "")
endif()

# tools/sim.cpp: compiles and runs any CUDA program. It needs the paths and flags that this file sets.
add_library(simgpu_standalone OBJECT ${SIMGPU_DIR}/src/standalone.cpp)
target_compile_features(simgpu_standalone PRIVATE cxx_std_17)
target_include_directories(simgpu_standalone PRIVATE ${SIMGPU_DIR})
add_executable(simgpu_sim ${SIMGPU_DIR}/tools/sim.cpp ${SIMGPU_DIR}/tools/messages.cpp)
target_compile_features(simgpu_sim PRIVATE cxx_std_17)
target_compile_options(simgpu_sim PRIVATE $<$<CONFIG:Release>:-O1>)
set_target_properties(simgpu_sim PROPERTIES OUTPUT_NAME sim
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/simgpu)
string(REPLACE ";" " " SIMGPU_SIM_FLAGS "${SIMGPU_FLAGS}")
string(REGEX REPLACE " -Wall| -Wextra" "" SIMGPU_SIM_FLAGS "${SIMGPU_SIM_FLAGS}")
string(REPLACE ";" " " SIMGPU_SIM_TRACED_FLAGS "${SIMGPU_TRACED_FLAGS}")
string(REPLACE "SHELL:" "" SIMGPU_SIM_TRACED_FLAGS "${SIMGPU_SIM_TRACED_FLAGS}")
# Overruns of local arrays, which the tracer does not see. Not in the traced builds of the steps: the
# checks cost time, and a load after a check is not dropped as a repeated one. Equal statements of two branches
# are not merged here either, since the merged one would have the line of only one of them.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # A loop that never ends stays one, which Clang may else leave out.
  string(APPEND SIMGPU_SIM_TRACED_FLAGS " -fsanitize=array-bounds -fno-finite-loops")
  include(CheckCXXCompilerFlag)
  # Other versions may have other names for these passes.
  foreach(pass enable-tail-merge simplifycfg-sink-common simplifycfg-hoist-common)
    check_cxx_compiler_flag("-mllvm -${pass}=0" SIMGPU_HAVE_${pass})
    if(SIMGPU_HAVE_${pass})
      string(APPEND SIMGPU_SIM_TRACED_FLAGS " -mllvm -${pass}=0")
    endif()
  endforeach()
else()
  string(APPEND SIMGPU_SIM_TRACED_FLAGS " -fsanitize=bounds-strict -fno-tree-tail-merge -fno-crossjumping")
  # Four loads of a byte that are put together to an int stay four, which need no alignment.
  string(APPEND SIMGPU_SIM_TRACED_FLAGS " -fno-expensive-optimizations")
endif()
set(SIMGPU_SIM_DEFINES "-DSIMGPU_TRACED=1 -DSIMGPU_STANDALONE=1 -D__CUDACC__=1 -D__NVCC__=1 -DCUB_USE_COOPERATIVE_GROUPS")
# Messages name the user's line alone. Clang would show the rewritten one below it.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  string(APPEND SIMGPU_SIM_DEFINES " -ftrack-macro-expansion=0 -fms-extensions") # CUB's typedefs have their classes' names
else()
  string(APPEND SIMGPU_SIM_DEFINES " -fno-caret-diagnostics -fno-show-column")
endif()
set(SIMGPU_PRECOMPILED ${CMAKE_BINARY_DIR}/simgpu/precompiled)
find_program(SIMGPU_GOLD ld.gold) # it links in half the time, which is a fifth of what a small program takes
mark_as_advanced(SIMGPU_GOLD)
target_compile_definitions(simgpu_sim PRIVATE
  SIM_CC="${CMAKE_C_COMPILER}" SIM_CXX="${CMAKE_CXX_COMPILER}"
  SIM_FLAGS="${SIMGPU_SIM_FLAGS}" SIM_TRACED_FLAGS="${SIMGPU_SIM_TRACED_FLAGS}"
  SIM_DEFINES="${SIMGPU_SIM_DEFINES}" SIM_LINKER="$<$<BOOL:${SIMGPU_GOLD}>:-fuse-ld=gold>"
  SIM_INCLUDE="${SIMGPU_DIR}/include" SIM_MADE_HEADERS="${SIMGPU_MADE_HEADERS}"
  SIM_REWRITE="$<TARGET_FILE:simgpu_rewrite>"
  SIM_LIBRARY="$<TARGET_FILE:simgpu>" SIM_STANDALONE="$<TARGET_OBJECTS:simgpu_standalone>"
  SIM_PRECOMPILED="${SIMGPU_PRECOMPILED}" SIM_AS="${SIMGPU_AS}")
add_dependencies(simgpu_sim simgpu simgpu_rewrite simgpu_standalone)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # A precompiled header of what every program includes: it halves the time of compiling a small one. GCC uses it
  # only with the flags and macros that it was made with, and reads the header otherwise.
  file(GLOB_RECURSE headers ${SIMGPU_DIR}/include/*.h ${SIMGPU_DIR}/include/simgpu/*.txt)
  separate_arguments(flags UNIX_COMMAND
    "-std=gnu++17 ${SIMGPU_SIM_FLAGS} ${SIMGPU_SIM_TRACED_FLAGS} ${SIMGPU_SIM_DEFINES}")
  set(precompiled ${SIMGPU_PRECOMPILED}/simgpu/standalone.h.gch)
  file(MAKE_DIRECTORY ${SIMGPU_PRECOMPILED}/simgpu)
  add_custom_command(OUTPUT ${precompiled}
    COMMAND ${CMAKE_CXX_COMPILER} ${flags} -I${SIMGPU_DIR}/include -x c++-header
            ${SIMGPU_DIR}/include/simgpu/standalone.h -o ${precompiled}
    DEPENDS ${headers} VERBATIM COMMENT "Precompiling simgpu/standalone.h")
  add_custom_target(simgpu_precompiled DEPENDS ${precompiled})
  add_dependencies(simgpu_sim simgpu_precompiled)
endif()

# cmake --install: one program, bin/simgpu, and its parts in lib/simgpu, in any folder.
# Projects that include this file install it by name only (--component simgpu).
set(exclude EXCLUDE_FROM_ALL)
if(PROJECT_NAME STREQUAL simgpu)
  set(exclude "")
endif()
install(FILES ${SIMGPU_DIR}/simgpuConfig.cmake DESTINATION lib/cmake/simgpu COMPONENT simgpu ${exclude})
install(PROGRAMS $<TARGET_FILE:simgpu_sim> DESTINATION bin RENAME simgpu COMPONENT simgpu ${exclude})
install(PROGRAMS $<TARGET_FILE:simgpu_rewrite> DESTINATION lib/simgpu RENAME rewrite COMPONENT simgpu ${exclude})
if(TARGET simgpu_as)
  add_dependencies(simgpu_sim simgpu_as)
  install(PROGRAMS $<TARGET_FILE:simgpu_as> DESTINATION lib/simgpu/as COMPONENT simgpu ${exclude})
endif()
install(FILES $<TARGET_FILE:simgpu> ${SIMGPU_DIR}/simgpu.h DESTINATION lib/simgpu COMPONENT simgpu ${exclude})
install(FILES $<TARGET_OBJECTS:simgpu_standalone> DESTINATION lib/simgpu RENAME standalone.o
        COMPONENT simgpu ${exclude})
install(DIRECTORY ${SIMGPU_DIR}/include/ DESTINATION lib/simgpu/include COMPONENT simgpu ${exclude})
install(DIRECTORY ${SIMGPU_MADE_HEADERS}/ DESTINATION lib/simgpu/made COMPONENT simgpu ${exclude})
install(DIRECTORY ${SIMGPU_PRECOMPILED}/ DESTINATION lib/simgpu/precompiled COMPONENT simgpu ${exclude} OPTIONAL)

function(simgpu_objects target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TRACED" "" "SOURCES;DEFINES;INCLUDES")
  if(NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "simgpu_objects(<target> SOURCES a.cu ... [DEFINES ...] [INCLUDES ...] [TRACED])")
  endif()
  set(rewritten "")
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(source ${source} ABSOLUTE)
    get_filename_component(name ${source} NAME)
    # One output for each target: builds of one source run side by side.
    set(output ${CMAKE_CURRENT_BINARY_DIR}/simgpu/${target}/${name}.cpp)
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/simgpu/${target})
    add_custom_command(OUTPUT ${output}
      COMMAND simgpu_rewrite "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
        -d ${output}.d -o ${output} ${source}
      DEPENDS ${source} simgpu_rewrite
      DEPFILE ${output}.d
      COMMAND_EXPAND_LISTS VERBATIM
      COMMENT "Rewriting ${name} for the simulated GPU (${target})")
    list(APPEND rewritten ${output})
  endforeach()
  add_library(${target} OBJECT ${rewritten})
  target_compile_features(${target} PRIVATE cxx_std_17)
  target_include_directories(${target} PRIVATE ${SIMGPU_INCLUDES} ${SIMGPU_DIR} ${arg_INCLUDES})
  target_compile_definitions(${target} PRIVATE ${arg_DEFINES}
    $<$<BOOL:${arg_TRACED}>:SIMGPU_TRACED=1>)
  if(arg_TRACED)
    target_compile_options(${target} PRIVATE ${SIMGPU_FLAGS} ${SIMGPU_TRACED_FLAGS} $<$<TARGET_EXISTS:simgpu_as>:-B${SIMGPU_AS}>)
    if(TARGET simgpu_as)
      add_dependencies(${target} simgpu_as)
    endif()
  else()
    target_compile_options(${target} PRIVATE ${SIMGPU_FLAGS} ${SIMGPU_PLAIN_FLAGS})
  endif()
endfunction()
