# A chapter shows what the simulated GPU says of a program that is wrong on purpose: line for line what
# it says today.
#   cmake -DPROGRAM= -DOPTIONS= -DCHAPTER= -P check_chapter.cmake
separate_arguments(OPTIONS)
execute_process(COMMAND ${PROGRAM} ${OPTIONS} OUTPUT_QUIET ERROR_VARIABLE said)
file(READ ${CHAPTER} chapter)
string(REGEX REPLACE "    Seen [0-9]+ times.\n" "" said "${said}")
string(FIND "${chapter}" "```text\n${said}```" at)
if(at EQUAL -1)
  message(FATAL_ERROR "${CHAPTER} should show, as a text block:\n${said}")
endif()
