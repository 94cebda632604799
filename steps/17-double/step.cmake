ladder_step(SOURCES 17-double.cu elements.cu PRECISIONS f64 SANITIZER_LEVELS 2)

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
