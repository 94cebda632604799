# The tile of A has a row too few.
# step: 08-gpu-shared
# file: tiles.cuh
# options: --variant tile16 --n 96
# fault: out-of-bounds-shared
s/^\( *as\[y \* a_row + x \* a_col\] = i < m.*\)/\1 \/\/ planted/
/void tile16(/,/^}/ s/real as\[16 \* 16\]/real as[16 * 15]/
