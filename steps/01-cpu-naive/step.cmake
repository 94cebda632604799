ladder_step(SOURCES 01-cpu-naive.c unfused.c PRECISIONS f32 f64 i32 TOUR --n 256 --reps 1 --warmup 0)
set_source_files_properties(${folder}/unfused.c PROPERTIES COMPILE_OPTIONS -ffp-contract=off)

ladder_sizes()
ladder_sizes(--variant unfused)
ladder_bad_options()
