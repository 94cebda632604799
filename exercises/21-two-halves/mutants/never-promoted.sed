# expect: right, but .* max error where
s/large += add_terms(0, /large = add_terms(large, /
