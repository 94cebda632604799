# How GFLOP/s over n look; tools/draw/performance loads this before it plots.
set logscale xy 2
set xlabel 'n'
set ylabel 'GFLOP/s (2n³ / time)' offset 1
set border 3 linecolor '#888888'
set tics nomirror
set grid linetype 1 linecolor '#e8e8e8'
unset key
set datafile separator tab
set lmargin 10
set rmargin 26
