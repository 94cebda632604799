# expect: elements wrong; first C\[
s/value += sign/value -= sign/
