# Joins each line with the indented lines below it, as say() in common/device/host.h has broken them.
:next
N
$!b next
s/\n  */ /g
