# The roofline: gnuplot -c roofline.gp, in a folder where tools/draw/roofline left the points, their labels,
# and in measured.plot the ranges, the roofs and the command that plots them. Makes roofline.svg there.
set terminal svg size 860,600 noenhanced font 'sans-serif,13' background '#ffffff'
set output 'roofline.svg'
set logscale xy
set xlabel 'operations for each byte asked for (by the model of each kernel)'
set ylabel 'GFLOP/s'
set border 3 linecolor '#888888'
set tics nomirror
set grid linetype 1 linecolor '#e8e8e8'
unset key
set style textbox opaque noborder fillcolor '#ffffff' margins 0.4,0.2
set datafile separator tab
least(a, b) = a < b ? a : b
load 'measured.plot'
