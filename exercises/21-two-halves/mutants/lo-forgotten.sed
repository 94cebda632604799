# expect: elements wrong
s/(x - __half2float(\*hi)) \* LIFT/0.0f/
