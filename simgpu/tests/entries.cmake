# simgpu_entries(<file> <folder> <names>): writes each entry of a text to a file in a folder, and sets <names>
# to the files' names in order (entries.awk).
function(simgpu_entries file folder names)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(MAKE_DIRECTORY ${folder})
  execute_process(COMMAND awk -v folder=${folder} -f ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/entries.awk ${file}
    OUTPUT_VARIABLE all OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status)
  if(status)
    message(FATAL_ERROR "the entries of ${file} cannot be written")
  endif()
  string(REPLACE "\n" ";" all "${all}")
  set(${names} ${all} PARENT_SCOPE)
endfunction()
