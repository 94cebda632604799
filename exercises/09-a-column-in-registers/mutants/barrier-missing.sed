# expect: fault: (shared-race|uninitialised-shared) in kernel yours
/the tile is complete/d
