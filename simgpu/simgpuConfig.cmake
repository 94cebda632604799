# Installed with the program, for find_package(simgpu) in another project:
#   simgpu_executable(NAME source... [OPTIONS option...] [LIBRARIES library...])
# compiles .cu, .cpp and .c files with the installed program as a Makefile would, and links them to a program NAME. A library
# is a static one of the project, or what follows -l. A change of a header is not noticed.
get_filename_component(SIMGPU_PROGRAM "${CMAKE_CURRENT_LIST_DIR}/../../../bin/simgpu" ABSOLUTE)

function(simgpu_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPTIONS;LIBRARIES")
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}.dir)
  file(MAKE_DIRECTORY ${folder})
  set(objects "")
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    get_filename_component(file ${source} NAME)
    get_filename_component(source ${source} ABSOLUTE)
    add_custom_command(OUTPUT ${folder}/${file}.o
      COMMAND ${SIMGPU_PROGRAM} ${arg_OPTIONS} -c ${source} -o ${folder}/${file}.o
      DEPENDS ${source} ${SIMGPU_PROGRAM} VERBATIM COMMENT "Compiling ${file} for the simulated GPU")
    list(APPEND objects ${folder}/${file}.o)
  endforeach()
  set(libraries "")
  set(files "")
  foreach(library IN LISTS arg_LIBRARIES)
    if(TARGET ${library}) # of the project itself
      list(APPEND libraries $<TARGET_FILE:${library}>)
      list(APPEND files ${library})
    else()
      list(APPEND libraries -l${library})
    endif()
  endforeach()
  set(program ${CMAKE_CURRENT_BINARY_DIR}/${name})
  add_custom_command(OUTPUT ${program} COMMAND ${SIMGPU_PROGRAM} ${objects} ${libraries} -o ${program}
    DEPENDS ${objects} ${files} VERBATIM COMMENT "Linking ${name}")
  add_custom_target(${name}_program ALL DEPENDS ${program})
endfunction()
