#!/bin/sh
# SPDX-License-Identifier: MIT
# replaced.sh NM READELF PROGRAM OBJECT...: fails if code of the objects would run in the checker's process. Either they
# define a function of a shared library, such as clock_gettime, which the checker calls: the linker exports these, and no
# others. Or they have a constructor, which runs before main().
nm=$1 readelf=$2 program=$3
shift 3
names=$("$nm" -D --defined-only "$program" | sed -n 's/^[0-9a-f]* [Ti] \([^@]*\).*/\1/p')
if [ -n "$names" ]; then
    echo "${program##*/}: the checker would call the step's own" $names >&2
    echo "Make them static, as all functions of a step." >&2
elif "$readelf" -SW "$@" | grep -Eq ' \.(preinit_array|init_array|ctors)'; then
    echo "${program##*/}: a constructor of the step would run in the checker's process; a step has none" >&2
else
    exit 0
fi
rm -f "$program"
exit 1
