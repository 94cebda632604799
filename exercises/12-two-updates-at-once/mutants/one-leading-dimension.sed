# expect: elements wrong; first C\[.*quadrant C11
s/z += gpu8_position(ldz)/z += gpu8_position(ldy)/
s/y += ldy, z += ldz/y += ldy, z += ldy/
