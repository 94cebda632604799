#!/bin/sh
# SPDX-License-Identifier: MIT
# own-function.sh CC NM READELF: a program with a constructor, or with a function of the C library, is refused
# (cmake/replaced.sh); with the same function static it is not.
folder=$(mktemp -d "${TMPDIR:-/tmp}/own.XXXXXX") || exit 2
trap 'rm -rf "$folder"' EXIT
refused() {
    printf '%s int getentropy(void *to, unsigned long n) { return to && n; }\nint main(void) { return getentropy(0, 0); }\n' \
        "$3" >"$folder/own.c"
    "$1" -c -o "$folder/own.o" "$folder/own.c" && "$1" -o "$folder/program" "$folder/own.o" || exit 2
    ! "$(dirname "$0")/../../cmake/replaced.sh" "$2" "$4" "$folder/program" "$folder/own.o"
}
refused "$1" "$2" '' "$3" && refused "$1" "$2" '__attribute__((constructor)) static' "$3" &&
    ! refused "$1" "$2" static "$3" && [ -e "$folder/program" ]
