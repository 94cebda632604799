# expect: right, but 5 wrong products caught where it takes 7
s/if (!(fabs(c\[i \* n + j\] - sum) <= \(.*\)))$/if (fabs(c[i * n + j] - sum) > \1)/
