ladder_step()

ladder_sizes()
ladder_counts(128 --n 128)
ladder_counts(256 --n 256)
ladder_shuffle()

# The document's own figures.
ladder_step_expect(counts/document/volkov 0 "transactions.:86016,.volume_bytes.:5505024,"
                   --n 256 --json)
