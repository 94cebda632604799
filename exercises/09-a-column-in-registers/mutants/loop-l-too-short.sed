# expect: elements wrong; first C\[
s/for (int l = 0; l < 16; l++)/for (int l = 0; l < 16 - 1; l++)/
