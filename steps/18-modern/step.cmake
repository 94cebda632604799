ladder_step(SOURCES 18-modern.cu gpu_rungs.cu SANITIZER_LEVELS 3 BENCH_UPTO 0)
ladder_sizes(--levels 2)
ladder_shuffle()
ladder_step_expect(modern/edges/over-cublas 0 "right: 3 of 3" --m 300 --n 200 --k 129 --levels 3 --count)
# What needs a GPU says so.
ladder_step_expect(no-times/rungs 3 "--rungs: the simulated GPU has no times" --rungs)
