# The plots of step 22: gnuplot -c words.gp words|times, in a folder with model and points (tools/draw/words writes
# them). Makes words.svg or times.svg there.
set datafile separator tab
set terminal svg size 860,560 noenhanced font 'sans-serif,13' background '#ffffff'
set output ARG1.'.svg'
variants = 'summa cannon strassen-bfs strassen-dfs strassen-over-summa caps-groups' # as model has them
colors = '#222222 #0072b2 #009e73 #cc79a7 #d55e00 #e69f00'
set border 3 linecolor '#888888'
set tics nomirror
set grid linetype 1 linecolor '#e8e8e8'
set logscale x
set xlabel 'ranks'
set xtics (1, 2, 4, 7, "" 8, 16, "" 32, 49, "" 64, 128, "" 256, 343, "" 512, 1024)
set key outside right top
if (ARG1 eq 'words') {
    set logscale y
    set title 'Words that the busiest rank receives, over n²: counted (points) and simulated from the model (lines)' textcolor '#222222'
    set ylabel 'words / n²'
    set xrange [1.8:1150]
    set yrange [0.02:3]
    plot for [i = 1:words(variants)] 'model' index i - 1 using 1:2 with lines linewidth 1.5 linecolor rgb word(colors, i) title word(variants, i), \
         for [i = 1:words(variants)] 'points' index i - 1 using 1:2 with points pointtype 7 pointsize 0.8 linecolor rgb word(colors, i) notitle, \
         'model' index words(variants) using 1:2 with lines dashtype 2 linewidth 2 linecolor '#888888' title 'classical bound', \
         NaN with points pointtype 7 linecolor '#888888' title 'counted in a run'
} else {
    drawn = '1 2 3 5' # of the variants
    set title 'Time × GPUs at n = 32768: measured on H200s (points) and simulated from the model (lines)' textcolor '#222222'
    set ylabel 'time × GPUs, seconds'
    set xrange [0.9:1150]
    set logscale y
    set yrange [0.8:12]
    set ytics (1, 2, 3, 5, 8, 12)
    set arrow 1 from 8, 0.8 to 8, 12 nohead dashtype 3 linecolor '#888888'
    set label 1 'one host | network' at 8, 10.5 center textcolor '#666666' font 'sans-serif,11'
    plot for [d in drawn] 'model' index int(d) - 1 using 1:2 with lines dashtype 2 linewidth 1.5 linecolor rgb word(colors, int(d)) title word(variants, int(d)), \
         for [d in drawn] 'points' index int(d) - 1 using 1:2 with points pointtype 7 pointsize 0.9 linecolor rgb word(colors, int(d)) notitle, \
         NaN with lines dashtype 2 linewidth 1.5 linecolor '#888888' title 'simulated', \
         NaN with points pointtype 7 linecolor '#888888' title 'measured'
}
