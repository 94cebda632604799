ladder_step(SOURCES 21-tensor-cores.cu exponents.cu join.cu mma.cu operands.cu product.cu split.cu strips.cu
            tensor_rungs.cu wgmma.cu ../19-own-leaf/exact.cu
            PRECISIONS f32 TOUR --n 8192 SIM_TOUR --n 64 SANITIZER_LEVELS 2 BENCH_UPTO 0)

# The matrix instructions are there for sm_90a only, not for sm_90.
function(ladder_tensor_architectures program)
  set(architectures ${CMAKE_CUDA_ARCHITECTURES})
  list(TRANSFORM architectures REPLACE "^90(-real|-virtual)?$" "90a-real")
  set_target_properties(${program} PROPERTIES CUDA_ARCHITECTURES "${architectures}")
  if("90a-real" IN_LIST architectures)
    target_compile_definitions(${program} PRIVATE LADDER_SM90A)
  endif()
endfunction()
# The library of step 20 has these products as math modes.
set(sources exponents.cu join.cu math_modes.cu mma.cu operands.cu product.cu wgmma.cu)
list(TRANSFORM sources PREPEND ${folder}/)
ladder_gemm_add("ladder_fp16;ladder_int8" SOURCES ${sources})
# What both have is compiled once: the step's own simulated program takes it from the library's objects.
get_target_property(sources ${step}.sim_plain SOURCES)
list(FILTER sources EXCLUDE REGEX "/(exponents|join|wgmma|mma|operands|product)[.]cu[.]cpp$")
set_target_properties(${step}.sim_plain PROPERTIES SOURCES "${sources}")
set(simulated $<TARGET_OBJECTS:${step}.sim_plain> $<TARGET_OBJECTS:ladder_gemm_sim_${step}>)
target_sources(${step}.sim PRIVATE $<TARGET_OBJECTS:ladder_gemm_sim_${step}>)
if(LADDER_HAVE_CUDA)
  # Its kernels are compiled once, for the program and for its test below.
  get_target_property(sources ${step} SOURCES)
  set(kernels ${sources})
  list(FILTER kernels INCLUDE REGEX "[.]cu$")
  list(FILTER sources EXCLUDE REGEX "[.]cu$")
  add_library(${step}_kernels OBJECT ${kernels})
  target_compile_definitions(${step}_kernels PRIVATE LADDER_F32)
  target_link_libraries(${step}_kernels PRIVATE ladder_flags CUDA::cublas)
  set_target_properties(${step} PROPERTIES SOURCES "${sources};$<TARGET_OBJECTS:${step}_kernels>")
  ladder_tensor_architectures(${step}_kernels)
  ladder_tensor_architectures(ladder_gemm_${step})
endif()

ladder_sizes(--levels 0)
# `accurate` and `fast` are these with levels of their own.
ladder_sizes(SOME --levels 1 --variant unfused,fp16,int8,int8-beside)
ladder_sizes(LONG SOME --levels 2 --variant fp16,int8,fp16-beside)
ladder_shuffle()
ladder_bad_options(RECURSIVE)
ladder_step_expect(no-times/rungs/21 3 "--rungs: the simulated GPU has no times" --rungs)

# Every input, and how large the mean error of fp16 is (docs/results/simulated/21-inputs.jsonl). On `scaled` a
# level costs accuracy, and bytes do without one.
function(ladder_tensor_input input levels variant error)
  ladder_step_expect(inputs/21/${input}-${levels}-${variant} 0 "\"variant\":\"${variant}\".*\"mean_error\":${error},"
                     --n 256 --levels ${levels} --variant tf32,fp16x3,fp16,int8 --input ${input} --reps 0 --no-count --json)
endfunction()
ladder_tensor_input(uniform 0 fp16 "(2[.][0-9]*e-06)")
ladder_tensor_input(uniform 1 int8 "(1[.][0-9]*e-05)")
ladder_tensor_input(positive 0 fp16 "(2[.][0-9]*e-05)")
ladder_tensor_input(positive 1 int8 "(2[.][0-9]*e-05)")
ladder_tensor_input(kaporin 0 fp16 "([78][.][0-9]*e-08)")
ladder_tensor_input(kaporin 1 int8 "([67][.][0-9]*e-06)")
ladder_tensor_input(scaled 0 fp16 "([23][.][0-9]*e-06)")
ladder_tensor_input(scaled 1 fp16 "(0[.]000[34][0-9]*)")
ladder_tensor_input(scaled 0 int8 "(0[.]03[0-9]*)")

# Denormals, values near overflow, infinities and NaNs; promotion; the same bits again.
if(BUILD_TESTING)
  set(cases ${PROJECT_SOURCE_DIR}/tests/tensor/tensor-cases.c)
  add_executable(tensor-cases.sim ${cases} ${simulated})
  target_link_libraries(tensor-cases.sim PRIVATE ladder_sim)
  ladder_expect(tensor-cases sim 0 "^0 of [0-9]+ wrong" $<TARGET_FILE:tensor-cases.sim>)
  ladder_test_property(tensor-cases COST 18)
  # What runs beside what, and what waits for what.
  add_executable(order-cases.sim ${PROJECT_SOURCE_DIR}/tests/tensor/order-cases.c
                                 ${PROJECT_SOURCE_DIR}/common/measure/json_read.c ${simulated})
  target_link_libraries(order-cases.sim PRIVATE ladder_sim)
  ladder_expect(order-cases sim 0 "^0 mistakes" $<TARGET_FILE:order-cases.sim>)
  if(LADDER_HAVE_CUDA)
    add_executable(tensor-cases ${cases} $<TARGET_OBJECTS:${step}_kernels>)
    target_compile_definitions(tensor-cases PRIVATE LADDER_F32)
    target_link_libraries(tensor-cases PRIVATE ladder_cuda)
    add_dependencies(gpu-programs tensor-cases)
    add_test(NAME tensor-cases/gpu COMMAND tensor-cases)
    set_tests_properties(tensor-cases/gpu PROPERTIES LABELS gpu TIMEOUT 600 SKIP_RETURN_CODE 77)
  endif()
endif()
