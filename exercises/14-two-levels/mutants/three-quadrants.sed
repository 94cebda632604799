# expect: right, but [0-9]+ workspace bytes where [0-9.]+ are possible
s/elements += 2 \*/elements += 3 */
