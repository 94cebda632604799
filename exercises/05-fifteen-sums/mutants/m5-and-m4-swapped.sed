# expect: elements wrong; first C\[.*quadrant C12
s/product(S\[3\], S\[7\], M\[4\])/product(S[3], S[7], M[5])/
s/product(S\[1\], S\[5\], M\[5\])/product(S[1], S[5], M[4])/
