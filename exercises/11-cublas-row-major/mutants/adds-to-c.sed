# expect: got -?nan
s/&zero, c/\&one, c/
