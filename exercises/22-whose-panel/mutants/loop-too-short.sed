# expect: elements wrong
s/from < me->k; from = to/from + 1 < me->k; from = to/
