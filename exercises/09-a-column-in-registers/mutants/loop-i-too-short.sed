# expect: fault: uninitialised-shared in kernel yours
s/for (int i = y; i < 16; i += 4)/for (int i = y; i + 4 < 16; i += 4)/
