ladder_step(TOUR --n 256 --reps 3)

ladder_sizes(--tau1 8)
ladder_bad_options()
