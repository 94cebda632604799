ladder_step(TOUR --n 256 --reps 1 --warmup 0)

ladder_sizes()
ladder_bad_options()
