# The plot of step 21: gnuplot -c tensor-cores.gp, in a folder with time-8192, time-16384,
# frontier-8192, frontier-16384, over-k and variants (tools/draw-tensor-cores writes them). Makes
# tensor-cores.svg there.
set datafile separator tab
set terminal svg size 860,920 noenhanced font "sans-serif,13" background "#ffffff"
set output 'tensor-cores.svg'
variants = system('cat variants') # as the data files have them
known = 'cublasSgemm fp16 fp16-mma fp16x3 int8 int8-mma tf32 tf32x3 unfused fp16-beside int8-beside'
colors = '#222222 #0072b2 #7fb8d8 #cc79a7 #009e73 #7fceb9 #e69f00 #d55e00 #999933 #003f66 #004d38'
place(name, list) = sum [i = 1:words(list)] (word(list, i) eq name ? i : 0)
number(name) = place(name, variants) - 1
color(name) = word(colors, place(name, known))
with_levels = ''
do for [name in 'unfused fp16 int8 fp16-mma int8-mma fp16-beside int8-beside'] {
    if (place(name, variants)) { with_levels = with_levels.' '.name }
}
never_without = '' # in the legend of the lower panel only
do for [name in 'unfused fp16-beside int8-beside'] {
    if (place(name, variants)) { never_without = never_without.' '.name }
}
set multiplot
set border 3 linecolor '#888888'
set tics nomirror
set grid linetype 1 linecolor '#e8e8e8'
set logscale xy
set format y '%.0e'
set ylabel 'mean error (inputs in [-1, 1])' offset 1
set xlabel 'milliseconds'
set tmargin at screen 0.95
set bmargin at screen 0.55
do for [panel = 1:2] {
    n = panel == 1 ? 8192 : 16384
    set lmargin at screen panel == 1 ? 0.09 : 0.58
    set rmargin at screen panel == 1 ? 0.48 : 0.97
    set title sprintf('n = %d; the labels count levels', n) textcolor '#222222'
    set xrange [(panel == 1 ? 2 : 16):(panel == 1 ? 40 : 320)]
    set yrange [5e-6:2e-2]
    unset xtics
    if (panel == 1) { set xtics (2, 3, 5, 10, 20, 40) } else { set xtics (20, 30, 50, 100, 200) }
    if (panel == 2) { unset ylabel }
    unset key
    plot sprintf('frontier-%d', n) using 1:2 with steps linewidth 9 linecolor '#f3e2b3' notitle, \
         for [variant in variants] sprintf('time-%d', n) index number(variant) using 1:2 \
             with linespoints pointtype 7 pointsize 0.8 linecolor rgb color(variant) notitle, \
         for [variant in with_levels] sprintf('time-%d', n) index number(variant) using 1:2:3 \
             with labels offset 0.9,0.5 font ',11' textcolor rgb color(variant) notitle
}
set lmargin at screen 0.09
set rmargin at screen 0.70
set tmargin at screen 0.44
set bmargin at screen 0.07
set title 'Without levels: the error over k = n' textcolor '#222222'
set xlabel 'n'
set ylabel 'mean error' offset 1
set xrange [1800:36000]
set yrange [3e-6:2e-2]
unset xtics
set xtics (2048, 4096, 8192, 16384, 32768)
set key at screen 0.99,0.43 right top
plot for [variant in 'cublasSgemm tf32 tf32x3 fp16x3 fp16 int8 fp16-mma int8-mma'] \
         'over-k' index number(variant) using 1:2 with linespoints \
         pointtype 7 pointsize 0.8 linecolor rgb color(variant) title variant, \
     for [variant in never_without] NaN with lines linecolor rgb color(variant) title variant, \
     NaN with lines linewidth 9 linecolor '#f3e2b3' title 'the frontier'
unset multiplot
