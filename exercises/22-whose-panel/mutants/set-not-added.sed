# expect: elements wrong
s/add_panel(a, b, me->c)/product(a, b, me->c)/
