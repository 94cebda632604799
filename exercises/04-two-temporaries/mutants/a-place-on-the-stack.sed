# expect: room of its own
s/struct block T1 = take_block(&workspace, h, h), T2/real room_of_mine[h * h]; struct block T1 = {room_of_mine, h, h, h}, T2/
