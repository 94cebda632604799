ladder_step(SOURCES 02-cpu-blocked.c tune.c TOUR --n 1024 --reps 3)

ladder_sizes()
ladder_sizes(--threads 3)
ladder_bad_options()
