#!/bin/sh
# SPDX-License-Identifier: MIT
# parameters.sh SOURCE: every function of common/, of the library and of simgpu.h says what each of
# its parameters is and what comes back, and every parameter that is named is there. A warning of Doxygen is an error.
cd "$1" || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
{
    sed -e "s|@OUTPUT@|$scratch|; s|@AWESOME@||" docs/site/Doxyfile.in
    cat <<'TEXT'
INPUT = common steps/20-library/ladder_gemm.h simgpu/simgpu.h
FILE_PATTERNS = *.h
USE_MDFILE_AS_MAINPAGE =
WARN_IF_UNDOCUMENTED = YES
WARN_IF_INCOMPLETE_DOC = YES
WARN_NO_PARAMDOC = YES
TEXT
} | doxygen - >/dev/null
