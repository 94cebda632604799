# expect: elements wrong; .*The sum ends too soon
s/for (int l = 0; l < 2; l++)/for (int l = 0; l < 2 - 1; l++)/
