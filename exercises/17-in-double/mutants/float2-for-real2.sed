# expect: elements wrong; first C\[.*quadrant C11
s/real2 bl = ((const real2 \*)/float2 bl = ((const float2 *)/
