# expect: fault: uninitialised-global in kernel yours
s/for (int first = 0; first < k; first += 16)/for (int first = 0; first < k + 16; first += 16)/
