# A step built from its own folder: `cmake -S steps/10-gpu8 -B b && cmake --build b && ctest --test-dir b`. The
# folder's CMakeLists.txt is then the top level and includes this file. The house reads all steps as always,
# but builds only this one, with what it needs of the others, and defines only its own tests.
get_filename_component(LADDER_ALONE ${CMAKE_CURRENT_SOURCE_DIR} NAME)
enable_testing()
add_subdirectory(../.. house EXCLUDE_FROM_ALL)
get_property(programs DIRECTORY ${CMAKE_BINARY_DIR}/house/steps/${LADDER_ALONE} PROPERTY BUILDSYSTEM_TARGETS)
set_target_properties(${programs} PROPERTIES EXCLUDE_FROM_ALL FALSE)
