# expect: C was written outside its elements
s/s < cols/s < COLS/
