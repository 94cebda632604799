# expect: C was written outside its elements
s/for (int i = 0; i < 2; i++)/for (int i = 0; i <= 2; i++)/
