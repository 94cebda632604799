# expect: fault: shared-race in kernel yours
/the tile is complete/d
