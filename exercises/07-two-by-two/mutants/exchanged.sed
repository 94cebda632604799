# expect: elements wrong; first C\[
s/x + 16\] = sum01/x + 16] = sum10/
s/ldc + x\] = sum10/ldc + x] = sum01/
