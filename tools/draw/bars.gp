# Bars with their values, the longest on the right; loaded by the result.plot of tools/draw/results.
unset key
unset xlabel
set boxwidth 0.6
set style fill solid 1 noborder
set xtics nomirror
set xrange [-0.6:*]
plot 'bars' using 0:3:xtic(1) with boxes linecolor '#0072b2', \
     '' using 0:3:(sprintf('%.3g', $3)) with labels offset 0,0.7 font ',11' textcolor '#222222'
