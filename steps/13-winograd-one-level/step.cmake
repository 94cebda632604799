ladder_step()

ladder_sizes(--levels 1)
ladder_counts(128 --n 128)
ladder_counts(256 --n 256)
ladder_counts(256--tau1128--tau2128 --n 256 --tau1 128 --tau2 128) # the level is fused, too
ladder_shuffle()

# The document's own figures.
ladder_step_expect(counts/document/winograd 0 "transactions.:90624,.volume_bytes.:6815744,"
                   --n 256 --json)
