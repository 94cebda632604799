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
ladder_sizes(--levels 1 --variant strassen-peeled,strassen-either)
ladder_sizes(--levels 2 --leaf cublas --variant strassen-peeled)

# Padding costs one more row and column of tiles, peeling a border: which is cheaper depends on how much
# is left over. At 150 with one level the core is 144 x 128 x 128 without any.
ladder_step_expect(edges/strassen/1025 0 "^ +1025 +1 +1056 x 1280 x 1152 +1024 x 1024 x 1024 +1.446 +2.841 +padding" --edges --n 1025 --levels 1)
# What an H100 found faster (docs/results/h100/14-edges.jsonl): padding on one level, peeling on two.
ladder_step_expect(edges/strassen/2049 0 "^ +2049 +1 .* 1.212 +1.470 +padding" --edges --n 2049 --levels 1)
ladder_step_expect(edges/strassen/4097 0 "^ +4097 +1 .* 1.103 +1.123 +padding" --edges --n 4097 --levels 1)
ladder_step_expect(edges/strassen/4097-two 0 "^ +4097 +2 .* 1.213 +1.141 +peeling" --edges --n 4097 --levels 2)
# Here the padded columns cost more than the border: 8.12 MiB are the core's copies.
ladder_step_expect(edges/strassen/peels 0 "strassen-either .* 8.12 MiB" --m 4096 --n 257 --k 128 --levels 1
                   --reps 0 --no-count --variant strassen-either)
ladder_step_expect(edges/strassen/1152 0 "^ +1152 +1 .* padding" --edges --n 1025 --levels 1)
ladder_step_expect(edges/strassen/fewer-levels 0 "strassen-peeled *0 " --n 150 --levels 1 --no-count
                   --variant strassen-peeled)
# Shared memory, races and every access, at a size whose core is one tile.
ladder_step_expect(edges/strassen/counted 0 "right: 2 of 2" --m 33 --n 260 --k 131 --levels 1 --count
                   --variant strassen-peeled,strassen-either)

# A cell at n = 4096 takes half a minute: one a method is tested, and
# docs/results/simulated/accuracy-sim.jsonl has all.
ladder_accuracy(Strassen 2048 2048)
ladder_accuracy(Strassen 4096 4096)
