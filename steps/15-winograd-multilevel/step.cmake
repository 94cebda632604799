ladder_step(SANITIZER_LEVELS 2)

ladder_sizes(--levels 2)
ladder_sizes(SOME --tau1 32 --tau2 32)
ladder_counts(256--levels1 --n 256 --levels 1)
ladder_counts(512--levels2 --n 512 --levels 2)
ladder_counts(256--tau164--tau264 --n 256 --tau1 64 --tau2 64)
ladder_counts(256--tau1128--tau2128 --n 256 --tau1 128 --tau2 128)
ladder_counts(1024--levels3 --n 1024 --levels 3)
ladder_test_property(counts/${step}/1024--levels3 LABELS sim long)
ladder_test_property(counts/${step}/1024--levels3 TIMEOUT 1200)
ladder_test_property(counts/${step}/1024--levels3 COST 35)
ladder_shuffle()
ladder_sizes(--levels 1 --variant winograd-peeled,winograd-either)
ladder_sizes(--levels 2 --leaf cublas --variant winograd-peeled)

ladder_edges(winograd 7.16)

# A cell at n = 4096 takes half a minute: one a method is tested, and
# docs/results/simulated/accuracy-sim.jsonl has all.
ladder_accuracy(Winograd 2048 2048)
ladder_accuracy(Winograd 4096 2048)

# Levels that pad far beyond the operands.
ladder_step_expect(options/much-padding 0
                   "^winograd: 3 levels pad m, n, k to 128, 1024, 512, which is 67 times" --n 100 --levels 3)
