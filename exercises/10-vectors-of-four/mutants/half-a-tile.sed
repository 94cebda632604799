# expect: fault: uninitialised-shared in kernel yours
/lower.x/d
