# expect: fault: uninitialised-shared in kernel yours
/bs\[y\]\[x + 16\] = b/d
