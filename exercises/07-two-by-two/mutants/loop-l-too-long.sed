# expect: fault: (uninitialised-global|global-race) in kernel yours
s/for (int l = 0; l < k; l++)/for (int l = 0; l <= k; l++)/
