# expect: right, but 0 right products accepted where it takes 2
s/return true;/return false;/
