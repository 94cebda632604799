# expect: right, but [0-9]+ workspace bytes where [0-9.]+ are possible
s/level < p->levels; level++/level <= p->levels; level++/
