# expect: elements wrong; .*The wrong elements are 0
s/for (long j = 0; j < cols; j++)/for (long j = 0; j < cols - 1; j++)/
