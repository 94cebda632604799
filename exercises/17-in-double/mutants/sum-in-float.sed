# expect: elements wrong; first C\[.*allowed error ([0-9.]+e-1[0-9]|0)
s/real2 sum = {0, 0};/float2 sum = {0, 0};/
s/\[j\] = sum;/[j] = real2{sum.x, sum.y};/
