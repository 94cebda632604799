# expect: elements wrong; .*The sum ends too soon
s/for (long l = 0; l < rows; l++)/for (long l = 0; l < rows - 1; l++)/
