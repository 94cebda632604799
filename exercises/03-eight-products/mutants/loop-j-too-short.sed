# expect: elements wrong; .*The wrong elements are 0
s/for (int j = 0; j < 2; j++)/for (int j = 0; j < 2 - 1; j++)/
