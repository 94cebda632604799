# tools/draw/errors.gp: what levels cost in accuracy and gain in time; see tools/draw/errors.
set terminal svg size 720,440 background '#ffffff' font 'sans,13'
set output out
set title title
set xlabel 'levels of Winograd''s method'
set ylabel 'mean error'
set logscale y
set format y '%.0e'
set xrange [-0.3:5.3]
set xtics 0,1,5
set key top center
set grid ytics
set style data linespoints
set linetype 1 lw 2 pt 7 lc rgb '#b03030'
set linetype 2 lw 2 pt 5 lc rgb '#3050a0'
if (times) { # the simulated GPU has none
    set y2label 'ms'
    set y2tics
    set ytics nomirror
    set y2range [0:*]
    plot data using 1:2 title 'mean error', data using 1:3 axes x1y2 title 'ms'
} else {
    plot data using 1:2 title 'mean error'
}
