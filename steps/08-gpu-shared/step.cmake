ladder_step(SIM_TOUR --n 128 BENCH_UPTO 8192)

ladder_sizes()
ladder_counts(128 --n 128)
ladder_counts(256 --n 256)
ladder_shuffle()

# Wrong on purpose: the simulated GPU must name the line.
ladder_step_expect(faults/barrier-in-if 1 "08-gpu-shared.cu:[0-9]+: fault: barrier"
                   --variant document --n 100)
ladder_step_expect(faults/barrier-in-if-unseen 0 "right: 1 of 1" --variant document --n 96)
