# expect: fault: shared-race in kernel yours
s/for (int i = y; i < 16; i += 4)/for (int i = y; i < 16 + 4; i += 4)/
