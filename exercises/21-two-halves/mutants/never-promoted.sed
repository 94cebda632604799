# expect: right, but .* max error where
s/large += add_terms(lines, 0, /large = add_terms(lines, large, /
