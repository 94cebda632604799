# Functions that make tests. A step calls them in its CMakeLists.txt, all other tests are below tests/. Labels: cpu
# (steps and checker on the processor), sim (simulated GPU), gpu, front, exercises (the gate). A test whose verdict is the
# same on every machine, because it guards our own pages, drawings and wrong answers (those to exercises, ways around them,
# mistakes planted into steps), plays another machine, or tries a further rule of the simulated GPU, is also labelled house:
# CI runs it, `./ladder test` does not. One that takes long and tries only more of what another test tries is labelled long:
# `./ladder test long` alone runs it.
# COST is about how many seconds a test takes: the longest begin first, so that no core idles at the end.
set(LADDER_TESTS ${PROJECT_SOURCE_DIR}/tests)

# ladder_case(name label command...): a command whose exit status is the verdict, as a case of a test, which is the first two
# parts of A/B/CASE, or the first of A/CASE. To start a test costs more than most cases take, so the cases of a test run one
# after another, and those that fail are named (tests/cases.sh). `tests/cases.sh FILE CASE` runs one; `ctest -R TEST -V -N`
# shows the FILE.
function(ladder_case name label)
  if(NOT BUILD_TESTING)
    return()
  endif()
  ladder_test_of(${name})
  string(MAKE_C_IDENTIFIER ${test} file)
  set(file ${CMAKE_CURRENT_BINARY_DIR}/cases/${file}.sh)
  get_property(cases DIRECTORY PROPERTY "cases of ${test}" SET)
  if(TEST ${test} AND NOT cases)
    message(FATAL_ERROR "${name} would be a case of ${test}, which is a test without cases: choose another name")
  endif()
  if(NOT cases)
    add_test(NAME ${test} COMMAND ${LADDER_TESTS}/cases.sh ${file})
    set_tests_properties(${test} PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77)
    cmake_language(EVAL CODE "cmake_language(DEFER CALL ladder_write_cases [[${test}]] [[${file}]])")
  endif()
  get_property(labels TEST ${test} PROPERTY LABELS)
  list(APPEND labels ${label})
  list(REMOVE_DUPLICATES labels)
  set_property(TEST ${test} PROPERTY LABELS ${labels})
  set(line "run '${case}'")
  foreach(word IN LISTS ARGN)
    string(REPLACE "'" "'\\''" word "${word}")
    string(APPEND line " '${word}'")
  endforeach()
  set_property(DIRECTORY APPEND_STRING PROPERTY "cases of ${test}" "${line}\n")
endfunction()

function(ladder_test_of name) # sets test and case
  set(test ${name} PARENT_SCOPE)
  set(case ${name} PARENT_SCOPE)
  if(name MATCHES "^([^/]+(/[^/]+)?)/(.+)$")
    set(test ${CMAKE_MATCH_1} PARENT_SCOPE)
    set(case ${CMAKE_MATCH_3} PARENT_SCOPE)
  endif()
endfunction()

function(ladder_write_cases test file)
  get_property(cases DIRECTORY PROPERTY "cases of ${test}")
  file(GENERATE OUTPUT ${file} CONTENT "${cases}")
endfunction()

# ladder_expect(test/name label status pattern command...): a case, see tests/expect.sh.
function(ladder_expect name label status pattern)
  ladder_case(${name} "${label}" ${LADDER_TESTS}/expect.sh ${status} "${pattern}" ${ARGN})
endfunction()

# ladder_table(file): the cases of a table such as tests/cases.txt. A case is named by its command, and left out where its program
# is not built. Words before the program are NAME=VALUE for its environment, or a command that starts it; RANKS=P starts P ranks
# (tests/steps/ranks.sh). STEP is the step's program, on the processor or on the simulated GPU.
function(ladder_table file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(STRINGS ${file} lines)
  set(own ${step})
  if(kind STREQUAL gpu)
    set(own ${step}.sim)
  endif()
  foreach(line IN LISTS lines)
    if(line MATCHES "^== (.*)")
      string(REPLACE STEP "${step}" test ${CMAKE_MATCH_1})
    elseif(line MATCHES "^([0-9]+) (.*)")
      set(status ${CMAKE_MATCH_1})
      string(REPLACE STEP "${own}" command "${CMAKE_MATCH_2}")
      string(REPLACE "'" "" case "${command}")
      separate_arguments(command UNIX_COMMAND "${command}")
      set(before env)
      list(POP_FRONT command program)
      while(command AND NOT TARGET ${program} AND NOT program MATCHES "^-")
        list(APPEND before ${program})
        list(POP_FRONT command program)
      endwhile()
    elseif(line MATCHES "^    (.*)" AND TARGET ${program})
      set(pattern "${CMAKE_MATCH_1}")
      set(label cpu)
      if(program MATCHES "[.]sim$")
        set(label sim)
      endif()
      if("${before}" MATCHES "RANKS=([0-9]+)")
        ladder_case(${test}/${case} ${label} ${before} ${LADDER_TESTS}/steps/ranks.sh ${status} "${pattern}" ${CMAKE_MATCH_1}
                    $<TARGET_FILE:${program}> ${command})
      else()
        ladder_expect(${test}/${case} ${label} ${status} "${pattern}" ${before} $<TARGET_FILE:${program}> ${command})
      endif()
    endif()
  endforeach()
endfunction()

# ---- For a step's CMakeLists.txt: `step` and `kind` are the step's, see cmake/steps.cmake ----

# ladder_step_expect(name status pattern [options]): what the step's program prints and returns, on the processor
# or on the simulated GPU.
function(ladder_step_expect name status pattern)
  if(kind STREQUAL cpu)
    ladder_expect(${name} cpu ${status} ${pattern} $<TARGET_FILE:${step}> ${ARGN})
  else()
    ladder_expect(${name} sim ${status} ${pattern} $<TARGET_FILE:${step}.sim> ${ARGN})
  endif()
endfunction()

# ladder_ordinary_tests([options]): the tests that every step needs, its sizes with these options: for a CPU step the sizes and
# bad options, for a CUDA step the sizes, two sizes counted, and any order of blocks. A step that lists no test gets them, too.
function(ladder_ordinary_tests)
  ladder_sizes(${ARGN})
  if(kind STREQUAL cpu)
    ladder_bad_options()
  else()
    ladder_counts(128 --n 128)
    ladder_counts(256 LARGE --n 256)
    ladder_shuffle()
  endif()
endfunction()

function(ladder_tests_if_none)
  get_property(listed DIRECTORY PROPERTY TESTS)
  ladder_cublas(${step_cublas})
  set(simulated $<$<NOT:$<STREQUAL:${kind},cpu>>:.sim>)
  ladder_case(columns/${step}/all house ${LADDER_TESTS}/steps/columns.sh $<TARGET_FILE:${step}${simulated}>)
  if(NOT listed)
    ladder_ordinary_tests()
  endif()
  ladder_label_tests()
endfunction()

# ladder_sizes([LABEL house] [SOME] [SIZES small] [PRECISIONS "f32 f64"] [options]): every variant over a matrix of sizes, see
# tests/steps/sizes.sh; a CUDA step on the simulated GPU and, where CUDA is enabled, on a GPU. By default all precisions of the
# step run some sizes, and the first one runs the rest in a long test. SOME: no long test, as another has nearly these options.
# SIZES small, or least: they run these, because more would take long, and some in a test of the house, or in a long one if
# these are a test of the house.
function(ladder_sizes)
  cmake_parse_arguments(arg "SOME" "LABEL;PRECISIONS;SIZES" "" ${ARGN})
  set(sizes ${arg_SIZES} some)
  if(NOT arg_SOME)
    list(APPEND sizes rest)
  endif()
  if(LADDER_SANITIZE)
    set(sizes small)
  endif()
  string(REPLACE ";" " " all "${step_precisions}")
  ladder_default(arg_PRECISIONS ${all})
  if(kind STREQUAL cpu)
    ladder_sizes_of(${step} "cpu;${arg_LABEL}" "${sizes}" ${arg_PRECISIONS} ${arg_UNPARSED_ARGUMENTS})
  else()
    if(arg_SOME AND NOT arg_LABEL) # the simulated GPU computes the same on every machine
      set(arg_LABEL house)
    endif()
    ladder_sizes_of(${step}.sim "sim;${arg_LABEL}" "${sizes}" ${arg_PRECISIONS} --no-count ${arg_UNPARSED_ARGUMENTS})
    if(LADDER_HAVE_CUDA)
      ladder_sizes_of(${step} gpu few ${arg_PRECISIONS} ${arg_UNPARSED_ARGUMENTS})
    endif()
  endif()
endfunction()

function(ladder_sizes_of program labels sizes precisions)
  string(REPLACE ";" "_" suffix "${ARGN}")
  string(REPLACE "--" "" suffix "${suffix}")
  set(name sizes/${program}${suffix})
  foreach(size IN LISTS sizes)
    if(size STREQUAL "rest")
      set(name sizes/${program}${suffix}/rest)
      list(APPEND labels long)
    elseif(size STREQUAL "some" AND sizes MATCHES "^(small|least)")
      string(APPEND name /some)
      if(house IN_LIST labels)
        list(APPEND labels long)
      endif()
      list(APPEND labels house)
    endif()
    ladder_script_test(${name} "${labels}" steps/sizes.sh $<TARGET_FILE:${program}> ${precisions} ${ARGN})
    ladder_test_property(${name} TIMEOUT 1200)
    ladder_test_property(${name} SKIP_RETURN_CODE 77)
    ladder_test_property(${name} COST 15)
    ladder_test_property(${name} ENVIRONMENT SIZES=${size})
  endforeach()
endfunction()

# ladder_counts(name [LARGE] options...): what the kernels move equals the model, exactly, for every variant
# that has one; see tests/steps/counts.sh. The large ones are a long test.
function(ladder_counts name)
  cmake_parse_arguments(arg LARGE "" "" ${ARGN})
  set(test counts/${step})
  set(labels sim)
  if(arg_LARGE)
    string(APPEND test -large)
    list(APPEND labels long)
  endif()
  ladder_case(${test}/${name} "${labels}" ${LADDER_TESTS}/steps/counts.sh $<TARGET_FILE:${step}.sim> ${arg_UNPARSED_ARGUMENTS})
  ladder_test_property(${test}/${name} COST 10)
endfunction()

# ladder_shuffle(): any order of blocks and threads gives the same result. A second order is a long test.
function(ladder_shuffle)
  set(command sim 0 "right:" $<TARGET_FILE:${step}.sim> --n 128 --count --shuffle)
  ladder_expect(shuffle/${step}/1 ${command} 1)
  ladder_expect(shuffle/${step}-more/2 ${command} 2)
  ladder_test_property(shuffle/${step}/1 COST 5)
  ladder_test_property(shuffle/${step}-more/2 LABELS sim long)
endfunction()

# ladder_cublas([options]): cublas/STEP compares the step's product with cublasSgemm's or cublasDgemm's, element by
# element, see tests/cublas/compare.py; options may name the variant, by default the first one. Without a GPU it is
# the simulated one's cuBLAS, which is OpenBLAS. Where CUDA is enabled, cublas/STEP-gpu compares with NVIDIA's.
function(ladder_cublas)
  if(LADDER_ALONE OR NOT BUILD_TESTING OR NOT LADDER_GPU_STEPS)
    return()
  endif()
  set(compare ${LADDER_TESTS}/wants.sh python3 ${LADDER_TESTS}/cublas/compare.py)
  foreach(precision IN LISTS step_precisions)
    if(precision STREQUAL i32) # no vendor's library multiplies them
      continue()
    endif()
    set(program ${step})
    set(plain "")
    set(large "")
    if(kind STREQUAL gpu)
      set(program ${step}.sim)
      set(plain --no-count)
      set(large --large) # on a processor step 03 would take minutes
    endif()
    ladder_case(cublas/${step}/${precision} sim ${compare} $<TARGET_FILE:11-strassen-over-cublas.sim> $<TARGET_FILE:${program}>
                ${precision} ${plain} ${ARGN})
    if(LADDER_HAVE_CUDA)
      ladder_case(cublas/${step}-gpu/${precision} gpu ${compare} ${large} $<TARGET_FILE:11-strassen-over-cublas>
                  $<TARGET_FILE:${step}> ${precision} ${ARGN})
      ladder_program_name(made ${precision} "${step_precisions}")
      add_dependencies(gpu-programs ${made})
    endif()
  endforeach()
endfunction()

# ladder_alone_program([sizes]): the step's alone.cu, a program of one file, is right under `./ladder sim` and frees its memory,
# with these sizes, too; with nvcc it also compiles as a student would compile it, and runs if there is a GPU. Or its alone.c.
function(ladder_alone_program)
  if(LADDER_ALONE OR NOT BUILD_TESTING)
    return()
  endif()
  set(right "^0 of [0-9]+ elements differ")
  if(kind STREQUAL cpu)
    ladder_expect(alone/${step} cpu 0 ${right} sh -c "\"$0\" -O3 -Wall -Wextra -Werror \"$1\" -lm -o alone && shift && ./alone \"$@\""
                  ${CMAKE_C_COMPILER} ${folder}/alone.c ${ARGN})
    ladder_test_property(alone/${step} WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
    return()
  endif()
  ladder_expect(alone/${step}/sim sim 0 ${right} $<TARGET_FILE:simgpu_sim> --leaks ${folder}/alone.cu)
  if(ARGN)
    ladder_expect(alone/${step}/sizes sim 0 ${right} $<TARGET_FILE:simgpu_sim> --leaks ${folder}/alone.cu -- ${ARGN})
  endif()
  ladder_wants(nvcc alone/${step}/nvcc "sim;house" sh -c
               "nvcc \"$0\" -lcublas -o \"$1\" && ( ! nvidia-smi -L 2>/dev/null | grep -q ^GPU || \"$1\" )"
               ${folder}/alone.cu ${CMAKE_CURRENT_BINARY_DIR}/alone)
  ladder_test_property(alone/${step}/nvcc COST 10)
endfunction()

# ladder_multilevel_tests(): steps 14 and 15.
function(ladder_multilevel_tests)
  ladder_sizes(--levels 2)
  ladder_sizes(SOME --tau1 32 --tau2 32)
  ladder_counts(256--levels1 --n 256 --levels 1)
  ladder_counts(256--levels1--unfused LARGE --n 256 --levels 1 --unfused)
  ladder_counts(128x512x256--levels2 --m 128 --n 512 --k 256 --levels 2) # the smallest size without padding
  ladder_counts(256--tau164--tau264 LARGE --n 256 --tau1 64 --tau2 64)
  ladder_counts(256--tau1128--tau2128 LARGE --n 256 --tau1 128 --tau2 128)
  ladder_counts(256x1024x512--levels3 LARGE --m 256 --n 1024 --k 512 --levels 3)
  ladder_shuffle()
  ladder_sizes(SOME --levels 2 --leaf cublas)
endfunction()

# ladder_accuracy(method n tau2): Figures 30 and 31 of Li et al. (2011), see tests/steps/accuracy.sh.
function(ladder_accuracy method n tau2)
  set(labels sim house)
  if(n GREATER 2048)
    set(labels sim long)
  endif()
  ladder_script_test(accuracy/${method}/${n}/${tau2} "${labels}" steps/accuracy.sh
                     $<TARGET_FILE:${step}.sim> ${method} ${n} ${tau2}
                     ${PROJECT_SOURCE_DIR}/docs/documents/numbers.csv)
  ladder_test_property(accuracy/${method}/${n}/${tau2} TIMEOUT 1200)
  math(EXPR cost "${n} / 100")
  ladder_test_property(accuracy/${method}/${n}/${tau2} COST ${cost})
endfunction()

# ladder_program_test(name label command...): a command whose exit status is the verdict.
function(ladder_program_test name label)
  if(BUILD_TESTING)
    add_test(NAME ${name} COMMAND ${ARGN})
    set_tests_properties(${name} PROPERTIES LABELS "${label}" TIMEOUT 600)
    if(label STREQUAL "gpu") # skipped where there is none
      set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
    endif()
  endif()
endfunction()

# ladder_wants("tools" name label command...): the same, but skipped with a message if a tool is missing; see tests/wants.sh.
function(ladder_wants tools name label)
  ladder_program_test(${name} "${label}" ${LADDER_TESTS}/wants.sh ${tools} ${ARGN})
  ladder_test_property(${name} SKIP_RETURN_CODE 77)
endfunction()

# ladder_house(pattern): labels the folder's tests so far whose names match: they guard what we have written and drawn, which is
# the same on every machine.
function(ladder_house pattern)
  get_property(names DIRECTORY PROPERTY TESTS)
  list(FILTER names INCLUDE REGEX "${pattern}")
  foreach(name IN LISTS names)
    set_property(TEST ${name} APPEND PROPERTY LABELS house)
  endforeach()
endfunction()

# ladder_script_test(name label script arguments...): a script of tests/ whose exit status is the verdict.
function(ladder_script_test name label script)
  ladder_program_test(${name} "${label}" ${LADDER_TESTS}/${script} ${ARGN})
endfunction()

# ladder_test_property(name property values...): sets a property of a test, or of the test that a case belongs to, if tests
# are built.
function(ladder_test_property name property)
  if(BUILD_TESTING)
    set(test ${name})
    if(NOT TEST ${name})
      ladder_test_of(${name})
    endif()
    set_property(TEST ${test} PROPERTY ${property} ${ARGN})
  endif()
endfunction()

# ladder_bad_input(name status pattern options...): what the step's program prints and returns for bad input.
# Labelled cpu as well, for the sanitizers.
function(ladder_bad_input name)
  ladder_step_expect(bad-input/${step}/${name} ${ARGN})
  ladder_test_property(bad-input/${step}/${name} LABELS front cpu)
endfunction()

# ladder_bad_options([RECURSIVE]): the options that every step has, and those of a recursion.
function(ladder_bad_options)
  if(NOT EXISTS ${LADDER_TESTS}/options/bad-options.txt) # a copy without the tests
    return()
  endif()
  ladder_table(${LADDER_TESTS}/options/bad-options.txt)
  if(ARGN STREQUAL RECURSIVE)
    ladder_table(${LADDER_TESTS}/options/bad-options-recursive.txt)
  endif()
  ladder_test_property(bad-input/${step}/all LABELS front cpu)
endfunction()
