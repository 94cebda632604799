# expect: elements wrong; .*The wrong elements are 0
s/for (int i = 0; i < 2; i++)/for (int i = 0; i < 2 - 1; i++)/
