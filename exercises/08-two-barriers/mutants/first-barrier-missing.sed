# expect: fault: (shared-race|uninitialised-shared) in kernel yours
/the tiles are complete/d
