# expect: elements wrong; first C\[.*quadrant C21
s/form_kernel<<<grid, block>>>(c21.at, c21.ld, c22.at, c22.ld/form_kernel<<<grid, block>>>(c22.at, c22.ld, c21.at, c21.ld/
