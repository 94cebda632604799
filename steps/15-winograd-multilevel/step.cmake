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

# Padding costs one more row and column of tiles, peeling a border: which is cheaper depends on how much
# is left over. At 150 with one level the core is 144 x 128 x 128 without any.
ladder_step_expect(edges/winograd/1025 0 "^ +1025 +1 +1056 x 1280 x 1152 +1024 x 1024 x 1024 +1.446 +2.841 +padding" --edges --n 1025 --levels 1)
# What an H100 found faster (docs/results/h100/14-edges.jsonl): padding on one level, peeling on two.
ladder_step_expect(edges/winograd/2049 0 "^ +2049 +1 .* 1.212 +1.470 +padding" --edges --n 2049 --levels 1)
ladder_step_expect(edges/winograd/4097 0 "^ +4097 +1 .* 1.103 +1.123 +padding" --edges --n 4097 --levels 1)
ladder_step_expect(edges/winograd/4097-two 0 "^ +4097 +2 .* 1.213 +1.141 +peeling" --edges --n 4097 --levels 2)
# Here the padded columns cost more than the border: 7.16 MiB are the core's copies.
ladder_step_expect(edges/winograd/peels 0 "winograd-either .* 7.16 MiB" --m 4096 --n 257 --k 128 --levels 1
                   --reps 0 --no-count --variant winograd-either)
ladder_step_expect(edges/winograd/1152 0 "^ +1152 +1 .* padding" --edges --n 1025 --levels 1)
ladder_step_expect(edges/winograd/fewer-levels 0 "winograd-peeled *0 " --n 150 --levels 1 --no-count
                   --variant winograd-peeled)
# Shared memory, races and every access, at a size whose core is one tile.
ladder_step_expect(edges/winograd/counted 0 "right: 2 of 2" --m 33 --n 260 --k 131 --levels 1 --count
                   --variant winograd-peeled,winograd-either)

# A cell at n = 4096 takes half a minute: one a method is tested, and
# docs/results/simulated/accuracy-sim.jsonl has all.
ladder_accuracy(Winograd 2048 2048)
ladder_accuracy(Winograd 4096 2048)

# Levels that pad far beyond the operands.
ladder_step_expect(options/much-padding 0
                   "^winograd: 3 levels pad m, n, k to 128, 1024, 512, which is 67 times" --n 100 --levels 3)
