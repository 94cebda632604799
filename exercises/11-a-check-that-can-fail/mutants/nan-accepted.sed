# expect: never written was accepted
s/if (!(fabs(c\[i \* n + j\] - sum) <= \(.*\)))$/if (fabs(c[i * n + j] - sum) > \1)/
