# expect: right, but [0-9]+ workspace bytes where [0-9]+ are possible
s/(size_t)(n \/ 2) \* 2; }/(size_t)(n \/ 2) * 6; }/
