#!/bin/sh
# SPDX-License-Identifier: MIT
# origins.sh: every picture of the repository is compared with what a program says, or docs/pictures.md names it.
here=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd) && cd "$here" || exit 3
list=$(sed -n 's/^== //p' tools/draw/facts.txt | tr ' ' '\n') || exit 3
faults=0 count=0
for picture in $(find docs steps exercises -name '*.svg' -not -path '*/build/*'); do
    count=$((count + 1))
    name=${picture##*/}
    echo "$list" | grep -qx "$picture" && continue
    case $picture in
    docs/figures/*) continue ;; # ./ladder paper
    steps/*/[0-9][0-9]-result.svg) continue ;;
    esac
    grep -qF "$picture" docs/pictures.md && continue
    case " $(tr -c 'a-z0-9-' ' ' <docs/pictures.md | tr '\n' ' ') " in *" ${name%.svg} "*) continue ;; esac
    echo "$picture: facts.txt has nothing of it, and docs/pictures.md does not say where it comes from"
    faults=1
done
for picture in $(grep -o '`[a-z][a-z0-9/-]*/[a-z0-9/-]*\.svg`' docs/pictures.md | tr -d '`'); do
    [ -f "$picture" ] || { echo "docs/pictures.md names $picture, which is not there"; faults=1; }
done
echo "$count pictures"
exit $faults
