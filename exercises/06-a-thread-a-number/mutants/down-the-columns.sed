# expect: right, but [0-9]+ transactions where [0-9]+ are possible
s,int i = t / n\, j = t % n,int i = t % m\, j = t / m,
