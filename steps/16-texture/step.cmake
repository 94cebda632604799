ladder_step(PRECISIONS f32)

ladder_sizes(--levels 1)
ladder_sizes(--levels 0 --texel-limit 1500) # in strips
ladder_counts(128 --n 128)
ladder_counts(256 --n 256)
ladder_sizes(--variant sgemm,tsgemm)
ladder_sizes(--variant tsgemm --texel-limit 1500) # in strips
ladder_counts(sgemm --n 128 --variant sgemm,tsgemm)
ladder_shuffle()

# In strips, counted: the simulated GPU watches every fetch.
ladder_step_expect(texture/strips 0 "right: 6 of 6" --n 256 --k 512 --levels 0 --texel-limit 9000
                   --count)
