# The programs that ./ladder runs in addition to the steps, and those that measure and draw for the chapters.

if(NOT EXISTS ${PROJECT_SOURCE_DIR}/tools/tour) # a folder that ./ladder lab export made
  add_subdirectory(tools/lab)
  return()
endif()

# ./ladder grade (tools/measure/grade.py)
add_custom_target(grade-programs)
foreach(program 01-cpu-naive.f64 02-cpu-blocked.f64 03-cpu-divide-conquer.f64 04-cpu-strassen.f64 05-cpu-winograd.f64
                18-modern.f64 23-exact.sim 23-exact)
  if(TARGET ${program})
    add_dependencies(grade-programs ${program})
  endif()
endforeach()

add_subdirectory(tools/paper) # ./ladder paper: the documents' figures, tables and numbers
add_subdirectory(tools/lab)   # ./ladder lab: the exercises
# What the pictures show of the steps (tools/draw/facts.py).
option(LADDER_DRAWERS "The programs whose logs the pictures are compared with" ON)
if(LADDER_DRAWERS AND NOT LADDER_SANITIZE)
  add_subdirectory(tools/draw/runs)
endif()

# `cmake --build build --target docs`: the reference of the headers, in docs/api of the build folder. The whole site,
# of which it is a part, needs more than Doxygen (tools/scripts/docs).
if(PROJECT_IS_TOP_LEVEL)
  find_program(DOXYGEN doxygen)
  mark_as_advanced(DOXYGEN)
  if(EXISTS ${DOXYGEN})
    set(OUTPUT ${PROJECT_BINARY_DIR}/docs)
    set(AWESOME /usr/share/doxygen-awesome-css/doxygen-awesome.css)
    if(NOT EXISTS ${AWESOME})
      set(AWESOME "") # Doxygen's own look does, too
    endif()
    configure_file(${PROJECT_SOURCE_DIR}/docs/site/Doxyfile.in ${OUTPUT}/Doxyfile
                   @ONLY NO_SOURCE_PERMISSIONS)
    add_custom_target(docs COMMAND ${DOXYGEN} ${OUTPUT}/Doxyfile WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM
                      COMMENT "The reference of the headers: ${OUTPUT}/api/index.html")
  else()
    add_custom_target(docs COMMAND ${CMAKE_COMMAND} -E echo "The target docs needs doxygen, which is not installed."
                      COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
  endif()
endif()
