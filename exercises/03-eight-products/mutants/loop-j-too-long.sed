# expect: C was written outside its elements
s/for (int j = 0; j < 2; j++)/for (int j = 0; j <= 2; j++)/
