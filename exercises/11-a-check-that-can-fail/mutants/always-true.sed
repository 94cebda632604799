# expect: right, but 0 wrong products caught where it takes 37
s/return false;/continue;/
