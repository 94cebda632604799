ladder_step()

ladder_sizes()
ladder_counts(128 --n 128)
ladder_counts(256 --n 256)
ladder_shuffle()

# The document's own figures.
ladder_step_expect(counts/document/gpu8 0 "transactions.:73728,.volume_bytes.:4980736,"
                   --n 256 --json)
# Wrong on purpose: the simulated GPU must name the line.
ladder_step_expect(faults/gpu8-verbatim 1 "10-gpu8.cu:[0-9]+: fault: misaligned in kernel verbatim"
                   --variant verbatim --n 128)
