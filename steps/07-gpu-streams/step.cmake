ladder_step(SOURCES 07-gpu-streams.cu bandwidth.cu microbenchmarks.cu nv.cu tables.cu texels.cu tricks.cu
            BENCH_UPTO 8192)
ladder_step_links(paper_numbers) # the document's tables

ladder_sizes()
foreach(unroll 2 3 6) # passes that k / 4 is no multiple of
  ladder_sizes(--variant multi --unroll ${unroll})
endforeach()
ladder_counts(128 --n 128)
ladder_counts(256 --n 256)
ladder_counts(--n99 --n 99)
ladder_counts(--n99--unroll3 --n 99 --unroll 3)
ladder_counts(--m30--n49--k102--unroll6 --m 30 --n 49 --k 102 --unroll 6)
# What the document tried besides: half the fetches with four outputs; at odd sizes the last ones are
# fetched twice.
ladder_sizes(--variant targets,rectangles)
ladder_counts(tricks --n 128 --variant targets,rectangles)
ladder_counts(tricks-odd --m 30 --n 49 --k 102 --variant targets,rectangles)
ladder_step_expect(gpu-streams/targets 0 ".variant.:.targets.*,.texture_fetches.:262144," --n 128 --variant targets --json)
ladder_step_expect(gpu-streams/single-fetches 0 ".variant.:.single.*,.texture_fetches.:524288," --n 128 --variant single --json)
ladder_shuffle()

# Bit for bit at every size.
ladder_script_test(every-size/${step}.sim sim every-size.sh $<TARGET_FILE:${step}.sim> 130)
ladder_test_property(every-size/${step}.sim SKIP_RETURN_CODE 77)
ladder_test_property(every-size/${step}.sim COST 16)
if(LADDER_HAVE_CUDA)
  ladder_script_test(every-size/${step} gpu every-size.sh $<TARGET_FILE:${step}> 130)
  ladder_test_property(every-size/${step} SKIP_RETURN_CODE 77)
  ladder_test_property(every-size/${step} ENVIRONMENT SIZES=few)
endif()
# On a GPU too no fetch may get lost; status 3: there is no GPU.
if(LADDER_HAVE_CUDA AND BUILD_TESTING)
  foreach(options "--tables --n 64" "--bandwidth --n 99 --unroll 3" "--microbenchmarks")
    string(REPLACE " " "" name "${options}")
    separate_arguments(options)
    add_test(NAME gpu-streams/${name} COMMAND ${step} ${options})
    set_tests_properties(gpu-streams/${name} PROPERTIES LABELS gpu SKIP_RETURN_CODE 3)
  endforeach()
endif()

# Texture fetches and the tables of Fatahalian et al. (2004): texels fetched, floats in them, those
# inside the matrices; fetches a mad, uses of each, flops a float: each input used twice; 6 fetches
# for 4 mads.
ladder_step_expect(gpu-streams/single 0 "^  single +65536 +262144 +262144 +1.000 +2.000 +2.000  right"
                   --tables --n 64)
ladder_step_expect(gpu-streams/multi 0 "^  multi +98304 +393216 +393216 +1.500 +1.333 +1.333  right"
                   --tables --n 64)
ladder_step_expect(gpu-streams/single-odd 0 "^  single +38250 +153000 +151470 .*  right"
                   --bandwidth --m 30 --n 49 --k 102)
ladder_step_expect(gpu-streams/multi-odd 0 "^  multi +52920 +211680 +197274 .*  right"
                   --bandwidth --m 30 --n 49 --k 102 --unroll 6)
ladder_step_expect(gpu-streams/large 0 "^  single +33600 .*  by formula"
                   --tables --m 2 --n 3 --k 16800 --no-count)
ladder_step_expect(gpu-streams/json 0
  ".variant.:.single.*,.texture_fetches.:250000,.texture_bytes.:4000000,.elements.:980100,"
  --bandwidth --n 99 --json)
ladder_step_expect(gpu-streams/json-run 0
  ".unroll.:2,.*,.texture_fetches.:90112,.texture_bytes.:1441792,.*,.model_texture_fetches.:90112,"
  --n 64 --variant multi --unroll 2 --json)
ladder_step_expect(gpu-streams/table-1 0 "^  NV 6800 Single +283.000 +7.59 +15.36 +17.3 +83.9" --tables --n 8)
ladder_step_expect(gpu-streams/table-2 0 "^  ATI X800 +63.7 +28.4 +15.6" --tables --n 8)
ladder_step_expect(gpu-streams/several 0 "^  texture-several .* 131072 +8192  right" --microbenchmarks)
ladder_step_expect(gpu-streams/microbenchmarks 0 "^  texture-sequential .* 131072 +8192  right"
                   --microbenchmarks)
ladder_step_expect(gpu-streams/printed 1 "elements wrong" --variant single-printed --n 9) # A.xxxx
ladder_step_expect(gpu-streams/unroll-0 2 "^--unroll takes a whole number from 1 to 6, not '0'"
                   --unroll 0)
ladder_step_expect(gpu-streams/unroll-7 2 "^--unroll takes a whole number from 1 to 6, not '7'"
                   --unroll 7)
ladder_step_expect(gpu-streams/unroll-word 2 "^--unroll takes .* not 'two'" --unroll two)
ladder_step_expect(gpu-streams/no-double-textures 2 "^--bandwidth does not go with --precision f64"
                   --bandwidth --precision f64)
ladder_step_expect(gpu-streams/too-wide 3
                   "^--n, --m, --k: they need a texture of 150000 x 1 texels" --m 1 --n 300000 --k 1)
