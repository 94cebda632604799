# expect: fault: uninitialised-shared in kernel yours
s/for (int i = 0; i < 16; i++)/for (int i = 0; i <= 16; i++)/
