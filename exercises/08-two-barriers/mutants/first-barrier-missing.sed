# expect: fault: shared-race in kernel yours
/the tiles are complete/d
