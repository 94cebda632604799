# expect: elements wrong; first C\[.*got -?nan
s/for (int l = 0; l < k; l++)/for (int l = 0; l <= k; l++)/
