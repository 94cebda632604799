# expect: elements wrong
s/small \/ LIFT/small/
