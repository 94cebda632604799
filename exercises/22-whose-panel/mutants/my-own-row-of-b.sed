# expect: elements wrong
s/broadcast_b(me, row, /broadcast_b(me, me->row, /
