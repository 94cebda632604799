#!/bin/sh
# SPDX-License-Identifier: MIT
# class.sh BUILD: a class of thirty, ten of whom would harm the others, is graded: once by whoever calls this, and once
# more, where that is root, by an ordinary user. The twenty others pass each time, and nobody's folder changes.
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2154
. "$(dirname -- "$0")/lib.sh"

students=$stage/class
mark=$(grep -n -m 1 'YOUR CODE' "$solution" | cut -d : -f 1)
# student NAME [TEXT]: hands in the right product, with TEXT before it.
student() {
    mkdir -p "$students/$1/$exercise"
    { head -n "$mark" "$solution"; printf '%s\n' "${2-}"; tail -n +$((mark + 1)) "$solution"; } \
        >"$students/$1/$exercise/exercise.c"
}
i=1
while [ $i -le 20 ]; do
    student "right-$(printf %02d $i)" "const long unused_$i = $i; (void)unused_$i;"
    i=$((i + 1))
done
student forks '#include <unistd.h>
for (;;) fork();'
student shell '#include <stdlib.h>
if (system("rm -rf ../../right-01")) return;'
student modes '#include <sys/stat.h>
chmod("../../right-02/'$exercise'/exercise.c", 0);'
student writes '#include <stdio.h>
FILE *other = fopen("../../right-03/'$exercise'/exercise.c", "w"); if (other) fclose(other);'
student memory '#include <stdlib.h>
#include <string.h>
for (;;) memset(malloc(1 << 28), 1, 1 << 28);'
student prints '#include <stdio.h>
for (;;) puts("\033[2Jpassed");'
student loops 'for (volatile int turn = 0;; turn++);'
student kills '#include <signal.h>
kill(-1, 9);'
student calls 'long number = 90, mode = 0; const char *path = "../../right-04"; __asm__ volatile("syscall" : "+a"(number) : "D"(path), "S"(mode) : "rcx", "r11", "memory");'
student bombs '#define ten(x) x x x x x x x x x x
#define thousand(x) ten(ten(ten(x)))
thousand(thousand(thousand(m += 0;)))'
printf '#include <sys/stat.h>\n__attribute__((constructor)) static void first(void) { chmod("../../right-05", 0); }\n' \
    >"$students/calls/$exercise/stddef.h"
chmod -R a+rX "$stage"

state() { (cd "$students" && find . -exec ls -ld {} + | cut -c 1-10,43- && find . -type f -exec cksum {} + | sort); }
before=$(state)
graded() { # WHO, and $said
    called="lab score --recheck, by $1"
    is 0
    [ "$(printf '%s\n' "$said" | grep -Ec "^right-[0-9]*,$exercise,1,passed,")" -eq 20 ] || fail 'twenty are right'
    [ "$(printf '%s\n' "$said" | grep -Ec "^[a-z]*,$exercise,1,started,")" -eq 10 ] || fail 'ten are not'
    silent_about "$(printf '\033')"
    [ "$(state)" = "$before" ] || fail 'a folder of the class has changed'
}
lab score --recheck --students "$students" --csv
graded "user $(id -u)"
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
    command="cd / && LADDER_LAB=/nonexistent LADDER_BUILD='$LADDER_BUILD' LADDER_LAB_BUILT=yes '$LADDER_BUILD/bin/lab'"
    said=$(setpriv --reuid 65534 --regid 65534 --clear-groups sh -c "$command score --recheck --students '$students' --csv" 2>&1)
    status=$?
    graded 'user 65534'
fi
end
