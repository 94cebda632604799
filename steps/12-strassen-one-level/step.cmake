ladder_step()

ladder_sizes(--levels 1)
ladder_counts(128 --n 128)
ladder_counts(256 --n 256)
ladder_counts(256--tau1128--tau2128 --n 256 --tau1 128 --tau2 128) # the level is fused, too
ladder_shuffle()
