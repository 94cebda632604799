# expect: fault: shared-race in kernel yours
/nobody needs them/d
