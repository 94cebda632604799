# Typical mistakes, planted into the steps' own programs: mistakes/NAME.sed is a sed script for one file
# of a step. Its first lines say which, how the program is run, and what it must say:
#   # what was done
#   # step: 08-gpu-shared
#   # file: tiles.cuh
#   # options: --variant tile16 --n 96
#   # fault: shared-race     the fault that is named with the line marked `// planted` (several kinds: |)
#   # says: REGEX            what else is said; there may be several
# The programs are built by the first of the tests, not with everything else.
ladder_watch_folder(${CMAKE_CURRENT_SOURCE_DIR}/mistakes)
file(GLOB scripts ${CMAKE_CURRENT_SOURCE_DIR}/mistakes/*.sed)
add_custom_target(simgpu_mistakes)

function(simgpu_mistake script)
  get_filename_component(name ${script} NAME_WE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script})
  foreach(key step file options fault)
    file(STRINGS ${script} ${key} REGEX "^# ${key}: ")
    string(REGEX REPLACE "^# ${key}: " "" ${key} "${${key}}")
  endforeach()
  file(STRINGS ${script} says REGEX "^# says: ")
  list(TRANSFORM says REPLACE "^# says: " "")
  set(from ${PROJECT_SOURCE_DIR}/steps/${step})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/mistakes/${name})
  file(GLOB sources CONFIGURE_DEPENDS ${from}/*.cu ${from}/*.cuh ${from}/*.h)
  # Theirs may be read-only, as in a clone that a class shares; one of the copies is changed.
  file(COPY ${sources} DESTINATION ${folder} NO_SOURCE_PERMISSIONS)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${from}/${file})
  execute_process(COMMAND sed -f ${script} ${from}/${file} OUTPUT_FILE ${folder}/${file}
                  RESULT_VARIABLE status)
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${from}/${file} ${folder}/${file}
                  RESULT_VARIABLE changed)
  if(NOT status EQUAL 0 OR changed EQUAL 0)
    message(FATAL_ERROR "${script} changes nothing in ${from}/${file}")
  endif()
  set(program mistake-${name})
  ladder_executable(${program} f32 f32)
  target_link_libraries(${program} PRIVATE ladder_sim)
  ladder_simulated_objects(${program}_plain f32 ${folder}/${step}.cu)
  ladder_simulated_objects(${program}_traced f32 ${folder}/${step}.cu TRACED)
  # A mistake may leave a variable unused. The plain build's speed is not what is asked for here.
  target_compile_options(${program}_plain PRIVATE -w -O0)
  target_compile_options(${program}_traced PRIVATE -w)
  ladder_one_object(${program}_traced step_f32_traced)
  target_sources(${program} PRIVATE $<TARGET_OBJECTS:${program}_plain>
                 ${PROJECT_BINARY_DIR}/simgpu/${program}_traced.o)
  add_dependencies(${program} ${program}_traced)
  set_target_properties(${program} ${program}_plain ${program}_traced PROPERTIES
    EXCLUDE_FROM_ALL ON RUNTIME_OUTPUT_DIRECTORY ${folder})
  add_dependencies(simgpu_mistakes ${program})
  add_test(NAME mistake/${name} COMMAND ${CMAKE_COMMAND} -DPROGRAM=${folder}/${program} "-DOPTIONS=${options}"
    -DSOURCE=${folder}/${file} "-DFAULT=${fault}" "-DSAYS=${says}"
    -P ${CMAKE_CURRENT_SOURCE_DIR}/check_mistake.cmake)
  set_tests_properties(mistake/${name} PROPERTIES LABELS sim FIXTURES_REQUIRED simgpu_mistakes)
endfunction()
foreach(script IN LISTS scripts)
  simgpu_mistake(${script})
endforeach()

add_test(NAME mistake/build COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target simgpu_mistakes)
set_tests_properties(mistake/build PROPERTIES LABELS sim FIXTURES_SETUP simgpu_mistakes PROCESSORS 2 COST 50
                     RESOURCE_LOCK build-folder)
