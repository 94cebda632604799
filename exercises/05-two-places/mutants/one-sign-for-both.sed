# expect: elements wrong; first C\[
s/sign2 \* value/sign1 * value/
