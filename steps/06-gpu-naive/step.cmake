ladder_step(BENCH_UPTO 4096)

ladder_sizes()
ladder_counts(128 --n 128)
ladder_counts(256 --n 256)
ladder_shuffle()
