# expect: elements wrong; first C\[
s/real2 bl = ((const real2 \*)/float2 bl = ((const float2 *)/
