# expect: right, but 0 wrong products caught where it takes 7
s/return false;/continue;/
