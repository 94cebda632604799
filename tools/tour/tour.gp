# The tour's plot: gnuplot -c tour.gp DEVICE, in a folder with `bars` and, where a vendor library was
# timed, `vendor` (table.awk writes both). Makes tour.svg there: a bar per step, and the library's
# speed on the same problems as a line.
set datafile separator tab
stats 'bars' using 3 name 'ours' nooutput
bars = int(ours_records)
lowest = ours_min
highest = ours_max
compared = int(system("grep -c . vendor"))
if (compared > 0) {
    stats 'vendor' using 1:2 name 'theirs' nooutput
    if (theirs_max_x > highest) { highest = theirs_max_x }
}
set terminal svg size 860,(140 + 36 * bars) noenhanced font 'sans-serif,14' background '#ffffff'
set output 'tour.svg'
set title 'Speed of each step (its best variant) on '.ARG1 offset 0,0.6 textcolor '#222222'
set tmargin 4
set logscale x
set xrange [lowest / 2:highest * 4]
set yrange [bars + 0.6:0.4]
set xlabel 'GFLOP/s, logarithmic' textcolor '#222222'
set border 1 linecolor '#888888'
set tics nomirror scale 0.5 textcolor '#222222'
set ytics scale 0
set grid xtics linetype 1 linecolor '#e4e4e4'
unset key
set style fill solid 1.0 noborder
left = lowest / 2
if (compared > 0) {
    plot 'bars' using 3:1:(left):3:($1 - 0.32):($1 + 0.32):yticlabels(2) \
             with boxxyerror linecolor '#4c78a8', \
         'bars' using 5:1:4 with labels left offset 0.8,0 font ',12' textcolor '#222222', \
         'vendor' using 1:2 with lines linewidth 2.5 linecolor '#d1383c', \
         'vendor' using 1:(0.4):('vendor library, same problem') every ::0::0 \
             with labels center offset 0,0.7 textcolor '#d1383c'
} else {
    plot 'bars' using 3:1:(left):3:($1 - 0.32):($1 + 0.32):yticlabels(2) \
             with boxxyerror linecolor '#4c78a8', \
         'bars' using 5:1:4 with labels left offset 0.8,0 font ',12' textcolor '#222222'
}
