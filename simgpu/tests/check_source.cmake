# Rewrites and compiles one source and compares with its first line, "// expect: REGEX": the message that the
# compiler must print, or nothing if the source must compile.
#   cmake -DREWRITE= -DCOMPILER= -DFLAGS= -DSOURCE= -DOUTPUT= -P check_source.cmake
file(STRINGS ${SOURCE} first LIMIT_COUNT 1)
string(REGEX REPLACE "^// expect: ?" "" expected "${first}")
separate_arguments(FLAGS)
execute_process(COMMAND ${REWRITE} -o ${OUTPUT} ${SOURCE} RESULT_VARIABLE status ERROR_VARIABLE said)
if(status EQUAL 0)
  execute_process(COMMAND ${COMPILER} ${FLAGS} -std=c++17 -Wall -Wextra -Werror
                          -Wno-missing-field-initializers -fsyntax-only ${OUTPUT}
    RESULT_VARIABLE status ERROR_VARIABLE said)
endif()
if(expected STREQUAL "")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${SOURCE} does not compile:\n${said}")
  endif()
elseif(status EQUAL 0)
  message(FATAL_ERROR "${SOURCE} compiles, but should say: ${expected}")
elseif(NOT said MATCHES "${expected}")
  message(FATAL_ERROR "${SOURCE} should say: ${expected}\nbut says:\n${said}")
endif()
