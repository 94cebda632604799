# SPDX-License-Identifier: MIT
# What the front door's tests share; each starts with `. "$(dirname "$0")/lib.sh"`.
#
# A test plays on a stage: a folder with a copy of ./ladder and its scripts, its own steps, and a
# PATH that holds the basic tools and the stubs that the test puts there, so that a machine without a
# compiler, a package manager or a network can be played on any machine.
# shellcheck shell=sh disable=SC2016,SC2034,SC2154 source=../lib.sh # the $ belong to the stubs
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
. "$root/tests/lib.sh"
tested=ladder
bin=$stage/bin tree=$stage/tree log=$stage/log
mkdir -p "$bin" "$stage/tools" "$tree/steps" "$tree/tools/scripts"
cp -r "$root/tools/tour" "$tree/tools/tour"
cp "$root/ladder" "$tree/ladder"
for script in install build docs python usage.txt explain similar; do
    cp "$root/tools/scripts/$script" "$tree/tools/scripts/$script"
done
: >"$log"
for tool in sh env cat cut tr sed grep head tail basename dirname mkdir mv rm cp ls date sleep kill \
    getconf chmod touch wc fold find flock readlink awk sort; do
    ln -s "$(command -v $tool)" "$stage/tools/$tool" 2>/dev/null
done
unset LADDER_BUILD LADDER_CMAKE CC CXX

# stub NAME <<'X': a program of that name, with this text. $log, $bin and $tree are known to it.
stub() {
    mkdir -p "$(dirname "$bin/$1")"
    { printf '#!/bin/sh\nlog="%s" bin="%s" tree="%s"\n' "$log" "$bin" "$tree"; cat; } >"$bin/$1"
    chmod +x "$bin/$1"
}

# tools NAME...: programs that exist and do nothing.
tools() {
    for tool in "$@"; do
        stub "$tool" </dev/null
    done
}

# A machine that has everything except gnuplot. The user is not root.
complete_machine() {
    tools cc gcc c++ g++ ninja addr2line jq mpirun mpicc
    echo 'echo libopenblas.so.0' | stub ldconfig
    echo 'echo 1000' | stub id
    stub cmake <<'X'
case $1 in
--version) echo 'cmake version 3.25.1' ;;
-S) echo "cmake $*" >>"$log"
    case " $* " in *' -DBROKEN=1 '*) echo BROKEN >>"$4/CMakeCache.txt"; exit 1 ;; esac
    mkdir -p "$4/bin" "$4/tools"
    touch "$4/CMakeCache.txt" "$4/build.ninja" ;;
--build)
    if [ -f "$tree/stale" ]; then
        echo "build $*" >>"$log"
    else
        echo 'ninja: no work to do.'
    fi ;;
esac
X
}

# A package manager that logs, and whose packages bring their tool. Those in $tree/unavailable
# cannot be had; with $tree/no-network none can.
package_manager() {
    echo 'echo "sudo $*" >>"$log"; exec "$@"' | stub sudo
    stub apt-get <<'X'
echo "apt-get $*" >>"$log"
[ ! -f "$tree/no-network" ] || { echo 'E: Failed to fetch' >&2; exit 100; }
installing=no
for word in "$@"; do
    case $word in install) installing=yes ;; esac
    [ ! -f "$tree/unavailable" ] || ! grep -qx -- "$word" "$tree/unavailable" ||
        { echo "E: Unable to locate package $word" >&2; exit 100; }
done
[ $installing = yes ] || exit 0
for word in "$@"; do
    case $word in
    gnuplot-nox) tool=gnuplot ;;
    ninja-build) tool=ninja ;;
    binutils) tool=addr2line ;;
    gcc | g++ | doxygen) tool=$word ;;
    graphviz) tool=dot ;;
    *) continue ;;
    esac
    printf '#!/bin/sh\n' >"$bin/$tool"
    chmod +x "$bin/$tool"
done
X
}

# step NAME <<'X': a step with a program of this text; its --help is taken care of.
step() {
    mkdir -p "$tree/steps/$1" "$tree/build/bin"
    : >"$tree/steps/$1/CMakeLists.txt"
    options='--n 1024 --reps 3'
    case $1 in 01-*) options='--n 512 --reps 1' ;; *-gpu* | 0[6-9]-* | 1*) options='--n 4096' ;; esac
    printf '%s\tkind\tf32\t%s\t-\t--n 256\t-\n' "$1" "$options" >>"$tree/build/steps.tsv"
    program "$1"
}
no_step() { # NAME: the step goes
    rm -r "$tree/steps/$1"
    sed "/^$1	/d" "$tree/build/steps.tsv" >"$stage/steps" && cp "$stage/steps" "$tree/build/steps.tsv"
}
no_program() { # NAME: the build cannot make it
    rm "$tree/build/bin/$1"
    sed "/^build $1: /d" "$tree/build/build.ninja" >"$stage/ninja" && cp "$stage/ninja" "$tree/build/build.ninja"
}
program() { # as step, without its folder: for NAME.sim
    { printf '#!/bin/sh\nlog="%s"\n' "$log"
      printf '[ "$1" != --help ] || { printf "%s: the idea\\n    of %s\\n\\nusage: %s\\n"; exit 0; }\n' "${1%.sim}" "$1" "$1"
      printf 'echo "%s $*" >>"$log"\n' "$1"
      cat; } >"$tree/build/bin/$1"
    chmod +x "$tree/build/bin/$1"
    echo "build $1: phony bin/$1" >>"$tree/build/build.ninja"
    touch "$tree/build/CMakeCache.txt"
}

# ladder ARGUMENTS...: runs the stage's ./ladder from another folder; sets status, out and err.
# Standard input is $input (default: empty).
ladder() {
    printf '%s' "$input" >"$stage/in"
    (cd / && PATH="$bin:$stage/tools" "$tree/ladder" "$@" <"$stage/in" >"$stage/out" 2>"$stage/err")
    status=$?
    out=$(cat "$stage/out")
    err=$(cat "$stage/err")
    called="ladder $*"
}

prints() { printf '%s\n' "$out" | grep -Eq -- "$1" || fail "no line of standard output matches: $1"; }
logged() { grep -Eq -- "$1" "$log" || fail "was not called: $1; calls: $(cat "$log")"; }
never_logged() { ! grep -Eq -- "$1" "$log" || fail "was called: $(grep -E -- "$1" "$log")"; }
forget() { : >"$log"; }
