# expect: right, but 0 right products accepted where it takes 11
s/return true;/return false;/
