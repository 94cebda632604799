# expect: elements wrong; .*The wrong elements are 0
s/for (int i = 0; i < 16; i++)/for (int i = 0; i < 16 - 1; i++)/
