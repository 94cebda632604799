# expect: elements wrong; first C\[.*got -?nan
s/MULTIPLE_M = 32, MULTIPLE_N = 32, MULTIPLE_K = 16/MULTIPLE_M = 16, MULTIPLE_N = 16, MULTIPLE_K = 16/
