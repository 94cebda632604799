# expect: NaN came in from outside A or B
s/for (int l = 0; l < 2; l++)/for (int l = 0; l <= 2; l++)/
