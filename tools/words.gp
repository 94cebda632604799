# The plot of step 22: gnuplot -c words.gp, in a folder with model and counted (tools/draw-words writes them).
# Makes words.svg there.
set datafile separator tab
set terminal svg size 860,560 noenhanced font 'sans-serif,13' background '#ffffff'
set output 'words.svg'
variants = 'summa cannon strassen-bfs strassen-dfs strassen-over-summa caps-groups' # as model has them
colors = '#222222 #0072b2 #009e73 #cc79a7 #d55e00 #e69f00'
set border 3 linecolor '#888888'
set tics nomirror
set grid linetype 1 linecolor '#e8e8e8'
set logscale xy
set title 'Words that the busiest rank receives, over n²: counted (points) and simulated from the model (lines)' textcolor '#222222'
set xlabel 'ranks'
set ylabel 'words / n²'
set xrange [1.8:1150]
set yrange [0.02:3]
set xtics (2, 4, 7, 8, 16, 32, 49, 64, 128, 256, 343, 512, 1024)
set key outside right top
plot for [i = 1:words(variants)] 'model' index i - 1 using 1:2 with lines linewidth 1.5 linecolor rgb word(colors, i) title word(variants, i), \
     for [i = 1:words(variants)] 'counted' index i - 1 using 1:2 with points pointtype 7 pointsize 0.8 linecolor rgb word(colors, i) notitle, \
     'model' index words(variants) using 1:2 with lines dashtype 2 linewidth 2 linecolor '#888888' title 'classical bound', \
     NaN with points pointtype 7 linecolor '#888888' title 'counted in a run'
