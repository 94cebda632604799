# A program of the primer with the mistake that its exercise asks for: the simulated GPU finds it, and says
# what the page shows. Line numbers stay, because the edit stays on its line.
#   cmake -DSIM= -DNAME= -DFROM= -DTO= -DPRIMER=FOLDER -DSCRATCH= -P primer.cmake
file(READ ${PRIMER}/${NAME} source)
string(REPLACE "${FROM}" "${TO}" wrong "${source}")
if(wrong STREQUAL source)
  message(FATAL_ERROR "${NAME} has no '${FROM}' to change")
endif()
file(WRITE ${SCRATCH}/docs/primer/${NAME} "${wrong}")
set(ENV{TMPDIR} ${SCRATCH})
execute_process(COMMAND ${SIM} docs/primer/${NAME} WORKING_DIRECTORY ${SCRATCH}
  RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE said)
if(NOT status EQUAL 1)
  message(FATAL_ERROR "the status is ${status}, not 1:\n${said}")
endif()
# The reader's copy is in docs/primer.
file(RELATIVE_PATH below_root ${PRIMER}/../.. ${SCRATCH})
string(REPLACE "${SCRATCH}/" "" said "${said}")
string(REPLACE "${below_root}/" "" said "${said}")
string(REGEX REPLACE "    Seen [0-9]+ times.\n" "" said "${said}")
file(READ ${PRIMER}/../cuda-primer.md page)
# Blocks run at the same time: which of them meet in a race, and where, is chance.
foreach(text said page)
  string(REGEX REPLACE "([Bb]lock|[Tt]hread) \\([0-9],0,0\\)" "one of them" ${text} "${${text}}")
  string(REGEX REPLACE "number\\[[0-9]\\]" "number[]" ${text} "${${text}}")
endforeach()
string(FIND "${page}" "```text\n${said}```" at)
if(at EQUAL -1)
  message(FATAL_ERROR "docs/cuda-primer.md should show, as a text block:\n${said}")
endif()
