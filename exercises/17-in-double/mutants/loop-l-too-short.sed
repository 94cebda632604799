# expect: elements wrong; .*The sum ends too soon
s/for (int l = 0; l < k; l++)/for (int l = 0; l < k - 1; l++)/
