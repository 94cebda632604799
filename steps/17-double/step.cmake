ladder_step(SOURCES 17-double.cu elements.cu figure44.cu PRECISIONS f64 SANITIZER_LEVELS 2)
# The classical product of a processor without fused multiply-adds (step 01's), and the document's numbers.
ladder_step_links(01-cpu-naive.unfused_f64 paper_numbers)

ladder_sizes(--levels 2)
ladder_sizes(--leaf gpu8 --tau1 32)
ladder_shuffle()

# Figure 44 on the processor: the document's means (5.3e-17, 3.0e-15, 1.8e-15) come out for inputs
# from [0, 1], not for those from [-1, 1].
ladder_step_expect(double/elements/dgemm 0 "^dgemm +6.*e-16 .* 5.[2-5]e-17 .* 5.3e-17" --elements)
ladder_step_expect(double/elements/dstrassen 0
                   "^dStrassen +6.*e-15 .* (2.9|3.0|3.1)e-15 .* 3.0e-15" --elements --seed 2)
ladder_step_expect(double/elements/dwinograd 0
                   "^dWinograd +(9.*e-15|1.0e-14) .* 1.[7-9]e-15 .* 1.8e-15" --elements --seed 3)
# All elements and dgemm's row, as on a GPU but smaller.
ladder_step_expect(double/figure-44 0 ".variant.:.dgemm.*,.input.:.positive.,.n.:256,.levels.:1,.pairs.:1,.maximum.:[1-9]"
                   --figure-44 --n 256 --levels 1 --reps 1 --json)
ladder_step_expect(double/figure-44/odd 2 "must be multiples of 64, 512 and 256" --figure-44 --n 500 --levels 2)
