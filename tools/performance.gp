# GFLOP/s over n: gnuplot -c performance.gp, in a folder where tools/draw-performance left the lines and
# the commands that plot them, gpu.plot and cpu.plot. Makes performance.svg there.
set terminal svg size 860,900 noenhanced font 'sans-serif,13' background '#ffffff'
set output 'performance.svg'
set multiplot
set logscale x 2
set xlabel 'n'
set ylabel 'GFLOP/s (2n³ / time)' offset 1
set border 3 linecolor '#888888'
set tics nomirror
set grid linetype 1 linecolor '#e8e8e8'
set key at screen 0.99,graph 1 right top
set datafile separator tab
set lmargin at screen 0.11
set rmargin at screen 0.66
set tmargin at screen 0.95
set bmargin at screen 0.47
set yrange [0:*]
set title 'On the GPU: the fastest variant of each step' textcolor '#222222'
load 'gpu.plot'
set tmargin at screen 0.35
set bmargin at screen 0.07
set title 'On the processor' textcolor '#222222'
load 'cpu.plot'
unset multiplot
