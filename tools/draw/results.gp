# The plot of a chapter: gnuplot results.gp, in a folder where tools/draw/results left the data and, in
# result.plot, the titles and the command that plots them. Makes result.svg there.
set terminal svg size 720,400 enhanced font 'sans-serif,13' background '#ffffff'
set output 'result.svg'
set border 3 linecolor '#888888'
set tics nomirror
set grid ytics linetype 1 linecolor '#e8e8e8'
set key outside right top Left reverse
set datafile separator tab
set xtics 1
set autoscale xfix
set offsets graph 0.06, graph 0.06, 0, 0
set format y '%g'
load 'result.plot'
