ladder_step(TOUR --n 1024 --reps 3)

ladder_sizes()
ladder_sizes(--threads 3)
ladder_bad_options()
