# The plot of step 21: gnuplot -c tensor-cores.gp, in a folder with time-8192, time-16384,
# frontier-8192, frontier-16384, over-k and variants (tools/draw/tensor-cores writes them). Makes
# tensor-cores.svg there.
set datafile separator tab
set terminal svg size 860,1240 noenhanced font "sans-serif,13" background "#ffffff"
set output 'tensor-cores.svg'
variants = system('cat variants') # as the data files have them
# What is drawn, in the legend's order: name, title, color, how its labels stand beside the points
# (characters to the right, up), and whether they have labels.
known = 'cublasSgemm ffma tf32 tf32x3 fp16x3 unfused fp16 fp16-beside fp16-mma int8 int8-beside int8-mma gemmul8-fast gemmul8-accurate'
titles = '"cublasSgemm" "step 19, FFMA" "tf32" "tf32x3" "fp16x3" "unfused" "fp16" "fp16-beside" "fp16-mma" "int8" "int8-beside" "int8-mma" "GEMMul8, fast" "GEMMul8, accurate"'
colors = '#222222 #8c564b #e69f00 #d55e00 #cc79a7 #999933 #0072b2 #003f66 #6fb0d6 #009e73 #004d38 #6fc7b0 #c02942 #e8849a'
right  = '0 1.1 0 0 0 -0.8 0.9 -0.9 0.4 -1.1 1.1 1.1 -1.1 -1.1'
up     = '0 0.3 0 0 0 0.6 -0.5 0.5 -0.8 0 0 0 -0.2 -0.2'
named = 'cublasSgemm tf32 tf32x3 fp16x3' # one point, with its name
place(name, list) = sum [i = 1:words(list)] (word(list, i) eq name ? i : 0)
number(name) = place(name, variants) - 1
of(name, list) = word(list, place(name, known))
# Where a label stands: those of fp16 a little apart.
apart(name, error, levels) = name eq 'fp16' ? error * 1.15 ** (levels - 1) : error
shown = ''
with_labels = ''
do for [name in known] {
    if (place(name, variants)) {
        shown = shown.' '.name
        if (!place(name, named)) { with_labels = with_labels.' '.name }
    }
}
set multiplot
set border 3 linecolor '#888888'
set tics nomirror
set grid linetype 1 linecolor '#e8e8e8'
set logscale xy
set format y '%.0e'
phone = system('echo $LADDER_PHONE') ne ''
set lmargin at screen phone ? 0.2 : 0.10
set rmargin at screen phone ? 0.9 : 0.76
set ylabel 'mean error (inputs in [-1, 1])' offset 0.5
do for [panel = 1:2] {
    n = panel == 1 ? 8192 : 16384
    set tmargin at screen panel == 1 ? (phone ? 0.97 : 0.972) : (phone ? 0.71 : 0.612)
    set bmargin at screen panel == 1 ? (phone ? 0.77 : 0.69) : (phone ? 0.50 : 0.33)
    set title sprintf('n = %d; the numbers are levels, or moduli', n) textcolor '#222222'
    set xrange [(panel == 1 ? 2.5 : 20):(panel == 1 ? 30 : 220)]
    set yrange [4e-7:2e-2]
    set xlabel 'milliseconds' offset 0,0.4
    unset xtics
    if (panel == 1) { set xtics nomirror (3, 4, 5, 7, 10, 15, 20, 30) } else { set xtics nomirror (20, 30, 40, 50, 70, 100, 150, 200) }
    if (panel == 1 && phone) { set key at screen 0.02,0.46 left top vertical maxrows 8 Left reverse samplen 1.5 }
    if (panel == 1 && !phone) { set key at screen 0.99,0.975 right top vertical maxcols 1 spacing 1.15 }
    if (panel == 2) { unset key }
    plot sprintf('frontier-%d', n) using 1:2 with steps linewidth 9 linecolor '#f3e2b3' notitle, \
         for [name in shown] sprintf('time-%d', n) index number(name) using 1:2 with linespoints \
             pointtype 7 pointsize 0.6 linecolor rgb of(name, colors) title word(titles, place(name, known)), \
         NaN with lines linewidth 9 linecolor '#f3e2b3' title 'the frontier', \
         for [name in with_labels] sprintf('time-%d', n) index number(name) using 1:(apart(name, $2, $3)):3 with labels \
             offset (of(name, right) + 0), (name eq 'fp16' && panel == 2 ? 0 : of(name, up) + 0) font ',11' textcolor rgb of(name, colors) notitle, \
         for [name in named] sprintf('time-%d', n) index number(name) using 1:2:(name) with labels \
             left offset (name eq 'cublasSgemm' ? -4 : 0.8), (name eq 'cublasSgemm' ? 0.9 : name eq 'tf32' ? 0.8 : name eq 'fp16x3' && panel == 1 ? -0.6 : 0.3) \
             font ',11' textcolor rgb of(name, colors) notitle
}
set tmargin at screen phone ? 0.31 : 0.255
set bmargin at screen phone ? 0.12 : 0.045
set title 'Without levels: the error over k = n' textcolor '#222222'
set xlabel 'n' offset 0,0.4
set ylabel 'mean error' offset 0.5
set xrange [1800:36000]
set yrange [3e-6:2e-2]
unset xtics
set xtics nomirror (2048, 4096, 8192, 16384, 32768)
if (phone) { set key at screen 0.02,0.075 left top vertical maxrows 8 Left reverse samplen 1.5 } else { set key at screen 0.99,0.25 }
plot for [name in 'cublasSgemm tf32 tf32x3 fp16x3 fp16 int8'] \
         'over-k' index number(name) using 1:2 with linespoints \
         pointtype 7 pointsize 0.6 linecolor rgb of(name, colors) title name
unset multiplot
