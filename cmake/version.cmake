# The version of the project and of its library, ladder_gemm: CITATION.cff's.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../CITATION.cff LADDER_VERSION REGEX "^version: ")
string(REPLACE "version: " "" LADDER_VERSION "${LADDER_VERSION}")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/../CITATION.cff)
