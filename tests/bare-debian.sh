#!/bin/sh
# SPDX-License-Identifier: MIT
# bare-debian.sh SCRATCH: carries out docs/classroom/Containerfile step by step in a bare Debian folder, made by debootstrap,
# and lets the result grade two students: one handed in the solution, the other the stub. Then it runs the commands of
# .devcontainer/devcontainer.json there, and what docs/colab.ipynb does without a GPU. Skipped (77) where one is not root, or debootstrap or Debian's archive is missing.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) scratch=$1/bare-debian
skip() { echo "skipped: $*" && exit 77; }
[ "$(id -u)" -eq 0 ] || skip "a folder with a system in it takes root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed (Debian: apt-get install debootstrap)"
git -C "$root" ls-files >/dev/null 2>&1 || skip "the files come from a clone, and this is none"
file=$root/docs/classroom/Containerfile
release=$(sed -n 's/^FROM debian:\([a-z]*\)-slim$/\1/p' "$file")
[ -n "$release" ] || { echo "FAILED: $file is not from debian:RELEASE-slim" && exit 1; }
rm -rf --one-file-system "$scratch"
trap 'umount "$scratch/proc" 2>/dev/null; rm -rf --one-file-system "$scratch"' EXIT
mkdir -p "$scratch"
debootstrap --variant=minbase "$release" "$scratch" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" >"$scratch.log" 2>&1 ||
    { tail -n 3 "$scratch.log" && skip "debootstrap found no archive"; }
[ ! -f /etc/apt/apt.conf ] || cp /etc/apt/apt.conf "$scratch/etc/apt/"
cp /etc/resolv.conf "$scratch/etc/resolv.conf" 2>/dev/null
mount -t proc proc "$scratch/proc" 2>/dev/null || echo "(without /proc)"
inside() { chroot "$scratch" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp DEBIAN_FRONTEND=noninteractive "$@"; }

# One instruction per line, as a container engine reads them.
sed -e '/^#/d' -e ':join' -e '/\\$/{N;b join' -e '}' -e 's/\\\n */ /g' "$file" >"$scratch.steps"
work=/ user=root
while read -r what rest; do
    echo "$what $rest"
    case $what in
    FROM | '') ;;
    COPY) mkdir -p "$scratch/ladder" && (cd "$root" && git ls-files -z | tar --null -T - -c -f -) | tar -x -C "$scratch/ladder" ;;
    WORKDIR) work=$rest ;;
    USER) user=$rest ;;
    ENV) settings=$rest ;;
    ENTRYPOINT) entry=$(echo "$rest" | tr -d '[]",') ;;
    RUN) inside sh -c "cd $work && $rest" >"$scratch.log" 2>&1 </dev/null || { tail -n 20 "$scratch.log"; echo "FAILED: RUN $rest"; exit 1; } ;;
    *) echo "FAILED: $what is not understood here" && exit 1 ;;
    esac
done <"$scratch.steps"

mkdir -p "$scratch/submissions/ada/01-row-order" "$scratch/submissions/bob/01-row-order"
exercise=$root/exercises/01-row-order/source.c
sed '/^\/\* clang-format off/,/^\/\* clang-format on/d; /\/\* STUB:/d' "$exercise" >"$scratch/submissions/ada/01-row-order/exercise.c"
sed '/^\/\* clang-format off/,/^\/\* clang-format on/d; /YOUR CODE/,/END \*\//{/YOUR CODE\|END/!d}' "$exercise" >"$scratch/submissions/bob/01-row-order/exercise.c"
# shellcheck disable=SC2086 # words of a command
said=$(inside su "$user" -s /bin/sh -c "cd $work && env $settings $entry --students /submissions --csv" 2>&1)
printf '%s\n' "$said" | grep 01-row-order
case $said in
*ada,01-row-order,1,passed,*bob,01-row-order,1,started,*) ;;
*) printf '%s\n' "$said" | tail -n 20 && echo "FAILED: ada should have passed, and bob not" && exit 1 ;;
esac
{
    sed -n 's/^  "\(on\|post\)CreateCommand": "\(.*\)",$/\2/p' "$root/.devcontainer/devcontainer.json"
    sed -n 's/^ *"!\(.\/ladder run 06\.sim[^"\\]*\)\\n"$/\1/p' "$root/docs/colab.ipynb"
} >"$scratch.steps"
[ "$(wc -l <"$scratch.steps")" -eq 3 ] || { echo "FAILED: three commands were expected:" && cat "$scratch.steps" && exit 1; }
while read -r command; do
    said=$(inside LADDER_BUILD=/tmp/build sh -c "cd /ladder && $command" 2>&1 </dev/null) ||
        { printf '%s\n' "$said" | tail -n 20 && echo "FAILED: $command" && exit 1; }
    echo "$command: $(printf '%s\n' "$said" | tail -n 1)"
done <"$scratch.steps"
echo "the recipe's steps make a system that grades, as $user"
