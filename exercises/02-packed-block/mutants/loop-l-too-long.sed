# expect: NaN came in from outside A or B
s/for (long l = 0; l < rows; l++)/for (long l = 0; l <= rows; l++)/
