# MPI moves the blocks between processes where it is installed; without it there is one. LADDER_MPI=OFF: as if it
# were not.
option(LADDER_MPI "Step 22 runs several ranks by MPI, where it is installed" ON)
find_program(LADDER_MPICC mpicc)
mark_as_advanced(LADDER_MPICC)
set(mpi "")
if(LADDER_MPI AND LADDER_MPICC)
  set(MPI_CXX_SKIP_MPICXX TRUE)
  find_package(MPI COMPONENTS C QUIET)
  if(MPI_C_FOUND)
    set(mpi comm_mpi.c)
  endif()
endif()
set(sources 22-many-gpus.c cannon.c comm.c comm_alone.c comm_threads.c dealt.c freivalds.c mpirun.c nested.c
            out_of_core.c place_cpu.c place_host.c rank_plan.c rank_report.c rank_trial.c ranks.c summa.c)
find_package(Threads REQUIRED)

ladder_step(SOURCES ${sources} ${mpi} TOUR --n 512 --reps 3)
ladder_packed()
ladder_step_links(Threads::Threads rt)
if(mpi)
  ladder_step_links(MPI::MPI_C)
endif()

# The program for GPUs: 22-gpus on real ones, its messages by NCCL where that is found, and
# 22-gpus.sim on simulated ones. Both have the library of step 20 as a leaf.
set(library ${PROJECT_SOURCE_DIR}/steps/20-library)
set(gpu_sources ${sources})
list(REMOVE_ITEM gpu_sources place_cpu.c)
list(APPEND gpu_sources ${mpi})
list(TRANSFORM gpu_sources PREPEND ${folder}/)
if(TARGET ladder_gemm_sim)
  ladder_executable(22-gpus.sim f32 f32)
  simgpu_objects(22-gpus.sim_plain SOURCES ${folder}/place_gpu.cu DEFINES LADDER_F32 LADDER_SIM
                 INCLUDES ${PROJECT_SOURCE_DIR} ${library})
  target_compile_options(22-gpus.sim_plain PRIVATE -Wno-missing-field-initializers -Wno-unused-parameter
                         $<$<BOOL:${LADDER_WERROR}>:-Werror>)
  target_sources(22-gpus.sim PRIVATE ${gpu_sources} $<TARGET_OBJECTS:22-gpus.sim_plain>)
  target_link_libraries(22-gpus.sim PRIVATE ladder_sim ladder_gemm_sim Threads::Threads rt)
endif()
if(LADDER_HAVE_CUDA)
  ladder_executable(22-gpus f32 f32)
  target_sources(22-gpus PRIVATE ${gpu_sources} ${folder}/place_gpu.cu)
  target_include_directories(22-gpus PRIVATE ${library})
  target_link_libraries(22-gpus PRIVATE ladder_cuda ladder_gemm Threads::Threads rt)
  find_path(LADDER_NCCL_INCLUDE nccl.h PATHS ${CUDAToolkit_INCLUDE_DIRS})
  find_library(LADDER_NCCL_LIBRARY nccl PATHS ${CUDAToolkit_LIBRARY_DIR})
  mark_as_advanced(LADDER_NCCL_INCLUDE LADDER_NCCL_LIBRARY)
  if(LADDER_NCCL_INCLUDE AND LADDER_NCCL_LIBRARY)
    target_sources(22-gpus PRIVATE ${folder}/comm_nccl.c)
    target_compile_definitions(22-gpus PRIVATE LADDER_NCCL)
    target_include_directories(22-gpus PRIVATE ${LADDER_NCCL_INCLUDE})
    target_link_libraries(22-gpus PRIVATE ${LADDER_NCCL_LIBRARY})
  else()
    message(STATUS "Step 22: no NCCL, messages between GPUs go through host memory")
  endif()
  add_dependencies(gpu-programs 22-gpus)
endif()
foreach(program 22-gpus 22-gpus.sim)
  if(TARGET ${program} AND mpi)
    target_link_libraries(${program} PRIVATE MPI::MPI_C)
  endif()
endforeach()

# The same without MPI, which must say what to install.
if(BUILD_TESTING)
  ladder_executable(22-alone f32 f32)
  list(TRANSFORM sources PREPEND ${folder}/ OUTPUT_VARIABLE alone)
  target_sources(22-alone PRIVATE ${alone})
  target_link_libraries(22-alone PRIVATE ladder_cpu packed_f32 Threads::Threads rt)
endif()

# The same with ranks that stop or hang in calls of MPI.
if(BUILD_TESTING AND mpi)
  ladder_executable(22-halting f32 f32)
  target_sources(22-halting PRIVATE ${alone} ${folder}/comm_mpi.c ${LADDER_TESTS}/ranks/halt.c)
  target_link_libraries(22-halting PRIVATE ladder_cpu packed_f32 Threads::Threads rt MPI::MPI_C)
endif()

# ladder_ranks(name ranks status pattern options...): what so many ranks say, see tests/ranks.sh.
function(ladder_ranks name ranks status pattern)
  ladder_script_test(ranks/${name} cpu ranks.sh ${status} ${pattern} ${ranks} $<TARGET_FILE:${step}> ${ARGN})
  ladder_test_property(ranks/${name} SKIP_RETURN_CODE 77)
endfunction()

# Every variant on every number of ranks: all numbers of words and messages equal the model's, on sizes that
# nothing divides and on fewer rows than ranks.
foreach(ranks 1 2 4 7 8)
  ladder_ranks(${ranks} ${ranks} 0 "right: 6 of 6" --m 61 --n 50 --k 77 --untimed)
endforeach()
ladder_ranks(deep 4 0 "right: 3 of 3" --n 70 --levels 2 --untimed --variant strassen-bfs,strassen-dfs,caps)
# Shifts to the left and to the right are the same on a grid of 2 x 2, and not on one of 3 x 3.
ladder_ranks(cannon 9 0 "right: 1 of 1" --m 61 --n 50 --k 77 --untimed --variant cannon)
ladder_ranks(few-rows 8 0 "right: 6 of 6" --n 3 --untimed)
ladder_ranks(double 4 0 "right: 6 of 6" --m 40 --n 90 --k 33 --untimed --precision f64)
ladder_ranks(panels 4 0 "right: 2 of 2" --m 30 --n 20 --k 900 --untimed --variant summa,strassen-over-summa)
# Fewer and wider panels are fewer messages of the same words: 4 ranks own two halves of k each.
ladder_ranks(panels/two 4 0 "right: 2 of 2" --m 30 --n 20 --k 900 --untimed --variant summa,cannon --panels 2)
ladder_ranks(panels/many 4 0 "right: 1 of 1" --m 30 --n 20 --k 900 --untimed --variant summa --panels 13)
function(ladder_panels name panels messages)
  ladder_expect(ranks/panels/${name} cpu 0 ".ranks.:4,.*.panels.:${panels},.*.model_words.:524288,.model_messages.:${messages},"
                $<TARGET_FILE:${step}> --model --n 1024 --variant summa --panels ${panels} --json)
endfunction()
ladder_panels(model-two 2 2)
ladder_panels(model-eight 8 8)
ladder_expect(ranks/panels/none cpu 2 "panels" $<TARGET_FILE:${step}> --panels 0 --untimed)
ladder_ranks(timed 2 0 "ms_predicted.:[0-9].*passed.:true" --n 128 --reps 2 --variant summa --json)
# Groups of seven, with sizes that nothing divides. By the formula 6 ((7/4)^k - 1) n^2/P words go, in 18 k messages.
ladder_ranks(groups/7 7 0 "right: 1 of 1" --m 61 --n 50 --k 77 --untimed --variant caps-groups)
ladder_ranks(groups/quiet 4 3 "^caps-groups on 4 ranks: groups of groups take" --n 50 --untimed --quiet
             --variant caps-groups)
ladder_ranks(groups/4 4 3 "^caps-groups on 4 ranks: groups of groups take 1, 7, 49 or 343 ranks" --n 50 --untimed
             --variant caps-groups)
ladder_expect(ranks/groups/model cpu 0 ".ranks.:49,.*.plan.:.BB.,.*.model_words.:9702,.model_messages.:36," $<TARGET_FILE:${step}>
              --model --n 196 --variant caps-groups --json)
# --model: what would not fit has its line, too, and --ranks asks for one number of ranks.
function(ladder_model name status pattern)
  ladder_expect(ranks/model/${name} cpu ${status} ${pattern} $<TARGET_FILE:${step}> --model --n 448 ${ARGN})
endfunction()
ladder_model(table 0 ".ranks.:1024,.*.memory_bytes.:null,.fits.:null," --variant summa)
ladder_model(too-large 0 ".strassen-bfs.,.*.ranks.:7,.*.bytes_a_rank.:2150400,.memory_bytes.:1048576,.fits.:false," --memory 1)
ladder_model(fits 0 ".caps.,.*.ranks.:7,.*.plan.:.DB.,.*.bytes_a_rank.:881664,.memory_bytes.:1048576,.fits.:true," --memory 1)
# No number of levels is enough: it is told what the best one needs.
ladder_model(least 0 ".caps.,.*.ranks.:7,.*.bytes_a_rank.:[0-9]+,.memory_bytes.:1048576,.fits.:false," --n 4096 --ranks 7
             --memory 1 --variant caps)
ladder_model(odd 0 ".summa.,.*.ranks.:14,.grid.:.7 x 2." --ranks 14)
ladder_model(no-grid 3 "^caps-groups on 14 ranks: groups of groups take 1, 7, 49 or 343 ranks" --ranks 14 --variant summa,caps-groups)
ladder_script_test(ranks/model/one cpu rows.sh 6 $<TARGET_FILE:${step}> --model --n 448 --ranks 14)
ladder_model(device-memory 2 "^--device-memory does nothing with --model: leave it out" --device-memory 64)
ladder_model(link 2 "^--gflops and --link make times together: give both, or neither" --link 100)
ladder_model(levels 2 "divides --levels times, 0 to 4" --levels 12)
# The same with threads of one process as ranks: one can start more of them than processes.
function(ladder_threads name ranks status pattern)
  ladder_expect(ranks/one-process/${name} cpu ${status} ${pattern} env OMP_WAIT_POLICY=passive $<TARGET_FILE:${step}>
                --one-process --ranks ${ranks} --untimed ${ARGN})
endfunction()
foreach(ranks 2 4 7 8)
  ladder_threads(${ranks} ${ranks} 0 "right: 6 of 6" --m 61 --n 50 --k 77)
endforeach()
ladder_threads(deep 4 0 "right: 3 of 3" --n 70 --levels 2 --variant strassen-bfs,strassen-dfs,caps)
ladder_threads(few-rows 8 0 "right: 6 of 6" --n 3)
ladder_threads(double 4 0 "right: 6 of 6" --m 40 --n 90 --k 33 --precision f64)
ladder_threads(device 4 0 "right: 6 of 6" --n 150 --device-memory 20)
ladder_threads(cannon/27 27 0 "right: 1 of 1" --m 61 --n 50 --k 77 --variant cannon)
ladder_threads(over-summa/16 16 0 "right: 1 of 1" --m 61 --n 50 --k 77 --variant strassen-over-summa --levels 2)
if(NOT LADDER_SANITIZE) # under which so many threads are slow
  ladder_threads(49 49 0 "right: 3 of 3" --m 61 --n 50 --k 77 --variant summa,strassen-bfs,caps-groups)
  ladder_threads(groups/49 49 0 "right: 1 of 1" --m 100 --n 120 --k 60 --variant caps-groups --levels 3)
  ladder_threads(groups/343 343 0 "right: 1 of 1" --m 28 --n 8 --k 24 --variant caps-groups)
  ladder_threads(cannon/50 50 0 "right: 1 of 1" --m 61 --n 50 --k 77 --variant cannon)
endif()
ladder_threads(short 9 1 "on integers: C.0..0. of rank 0: expected" --m 61 --n 50 --k 77 --variant summa-short)
ladder_threads(json 7 0 ".library.:.threads of one process.,.engine.:.copies.*.passed.:true.*.words.:129024,.*.model_words.:129024,"
               --n 448 --variant caps --json)
# More numbers than comm_all() passes on at a time: 16206 of a rank.
ladder_script_test(ranks/one-process/log cpu ranks-log.sh 4 $<TARGET_FILE:${step}> --n 60 --variant strassen-bfs --levels 4)
ladder_test_property(ranks/one-process/log SKIP_RETURN_CODE 77)
ladder_threads(messages 2 0 ".exchange.:0,.from.:0,.to.:1,.words.:2048" --n 64 --variant summa --messages --json)
ladder_expect(ranks/one-process/timed cpu 0 "messages by copies over threads of one process" $<TARGET_FILE:${step}>
              --one-process --ranks 2 --n 128 --reps 2 --variant summa)
ladder_expect(ranks/one-process/mpirun cpu 2 "^--one-process: mpirun has started a process for each rank" env
              OMPI_COMM_WORLD_SIZE=2 $<TARGET_FILE:${step}> --one-process --n 10)
# Variants that are too large are left out and the others run: status 3 only where one of them was asked for by name.
ladder_threads(left-out/memory 7 0 "right: 4 of 4 variants. 2 left out" --n 448 --memory 1)
ladder_threads(left-out/by-name 7 3 "right: 1 of 1 variants. 1 left out" --n 448 --memory 1 --variant strassen-bfs,strassen-dfs)
ladder_threads(left-out/all 7 3 "^no variant can run on 7 ranks with these options: the reasons stand above" --n 4096 --memory 1)
ladder_threads(left-out/groups 4 3 "right: 1 of 1 variants. 1 left out" --n 50 --variant cannon,caps-groups)
if(NOT LADDER_SANITIZE)
  ladder_ranks(groups/memory 7 0 ".plan.:.DB.,.*.words.:225792,.*.model_words.:225792," --n 448 --variant caps-groups
               --untimed --json --memory 1)
endif()
# The checks can fail.
ladder_ranks(short 2 1 "on integers: C.0..0. of rank 0: expected" --n 130 --variant summa-short --untimed)
if(NOT LADDER_SANITIZE) # the sanitizers see nothing new in these
  ladder_ranks(short-large 2 1 "rows of C are not A B, the first is row 0" --n 300 --variant summa-short --untimed)
  # The mix follows the memory: a rank that may use less does more levels one after another, each for 7/4 of the
  # words. One level on seven ranks moves 9/14 n^2: 6/7 of both factors, and of six other products a seventh.
  ladder_ranks(caps/all 7 0 ".plan.:.B.,.*.words.:129024," --n 448 --variant caps --untimed --json)
  ladder_ranks(caps/half 7 0 ".plan.:.DB.,.*.words.:225792,.*.model_words.:225792," --n 448 --variant caps --untimed --json
               --memory 1)
  ladder_ranks(memory 2 3 "^summa on 2 ranks: it needs [0-9]+ bytes a rank, --memory allows 1048576" --n 700
               --variant summa --memory 1)
endif()
# Out of core: the same results with matrices that are larger than what multiplies them.
ladder_ranks(device/1 1 0 "right: 6 of 6" --m 61 --n 50 --k 77 --untimed --device-memory 64)
ladder_ranks(device/4 4 0 "right: 6 of 6" --n 150 --untimed --device-memory 20)
ladder_ranks(device/none 1 3 "^--device-memory: the smallest tiles need 20480 bytes, [0-9]+ " --n 50 --device-memory 4)
# Products that do not come out even.
ladder_threads(left-over/14 14 0 "343 products, each to one rank, in 25 rounds. in the last round 7 of 14 ranks have none$"
               --n 61 --variant strassen-bfs)
ladder_threads(left-over/one-level 14 0 "7 products, each to one rank, in 1 round. in the last round 7 of 14 ranks have none$"
               --n 61 --variant strassen-bfs --levels 1)
ladder_threads(left-over/none 7 0 "7 products, each to one rank, in 1 round$" --n 61 --variant strassen-bfs)
ladder_model(left-over 0 ".plan.:.BBB.,.levels.:3,.*.rounds.:13,.idle_in_last_round.:21," --ranks 28 --variant strassen-bfs)
ladder_model(groups 3 "^caps-groups on 28 ranks: .* strassen-bfs takes any number" --ranks 28 --variant caps-groups)
# Words between host and device, by hand: on two ranks C's tile is 128 x 256 and k comes in two panels. With C on the
# device (400 KiB, tiles of 128) A goes there twice, B once and C comes back once. Where C does not fit (64 KiB, tiles of
# 32) A goes there 8 times, B 4 times, C once, and comes back twice.
function(ladder_device name ranks there back)
  ladder_threads(device/${name} ${ranks} 0 ".passed.:true.*.device_words_there.:${there},.device_words_back.:${back}," --json ${ARGN})
endfunction()
ladder_device(stays 2 131072 32768 --n 256 --device-memory 400 --variant summa)
ladder_device(goes 2 557056 65536 --n 256 --device-memory 64 --variant summa)
# It would fit, but beside tiles of 32, which move more.
ladder_device(too-full 2 262144 65536 --n 256 --device-memory 184 --variant summa)
# Cannon's steps on 3 x 3: tiles of 64 x 64, three products that add to one.
ladder_device(cannon 9 24576 4096 --n 192 --device-memory 80 --variant cannon)
# Strassen's seven products of a level, each in two panels of 64 whose C of 128 x 64 stays.
ladder_device(over-summa 2 229376 57344 --n 256 --device-memory 96 --variant strassen-over-summa)
# Nothing of k on some ranks, and nothing of C on others.
foreach(ranks 3 4 9)
  ladder_threads(device/few/${ranks} ${ranks} 0 "right: 6 of 6" --m 70 --n 3 --k 2 --device-memory 64)
  ladder_threads(device/odd/${ranks} ${ranks} 0 "right: 6 of 6" --m 130 --n 95 --k 301 --device-memory 64)
endforeach()
# The GPU's own source on simulated GPUs: their memory is no host's, messages go through copies.
if(TARGET 22-gpus.sim)
  set(gpus $<TARGET_FILE:22-gpus.sim>)
  function(ladder_sim_ranks name ranks status pattern)
    ladder_script_test(ranks/simulated/${name} sim ranks.sh ${status} ${pattern} ${ranks} ${ARGN} --untimed)
  endfunction()
  ladder_sim_ranks(1 1 0 "right: 6 of 6" ${gpus} --m 41 --n 30 --k 57)
  ladder_sim_ranks(2 2 0 "right: 3 of 3" ${gpus} --m 41 --n 30 --k 57 --variant summa,cannon,strassen-bfs
                   --levels 1)
  ladder_sim_ranks(library 1 0 "right: 1 of 1" ${gpus} --n 100 --variant strassen-bfs --leaf library)
  ladder_sim_ranks(positive 1 0 "right: 1 of 1" ${gpus} --n 40 --variant summa --input positive)
  ladder_sim_ranks(short 1 1 "expected 27, got -?nan" ${gpus} --n 50 --variant summa-short)
  ladder_sim_ranks(device 1 0 "right: 2 of 2" ${gpus} --n 90 --variant summa,strassen-dfs --device-memory 40)
  # Host memory for tiles and for messages is pinned; where it is refused, all is the same but the time.
  set(tiles ${gpus} --n 90 --variant strassen-dfs --device-memory 40)
  set(messages ${gpus} --n 90 --variant strassen-bfs --levels 1 --json)
  ladder_sim_ranks(pinned/tiles 1 0 ".passed.:true.*.host_memory.:.pinned." ${tiles} --json)
  ladder_sim_ranks(pinned/messages 2 0 ".passed.:true.*.host_memory.:.pinned." ${messages})
  ladder_expect(ranks/simulated/refused/tiles sim 0 "^[0-9]+ bytes of host memory cannot be pinned .out of memory.: copies"
                env SIMGPU_PINNED=0 ${tiles} --untimed)
  ladder_sim_ranks(refused/messages 2 0 ".passed.:true.*.host_memory.:.pageable." ${CMAKE_COMMAND} -E env
                   SIMGPU_PINNED=4096 ${messages})
  set(little env SIMGPU_MEMORY=200000 ${gpus} --n 64 --levels 2 --untimed)
  ladder_expect(ranks/simulated/left-out/memory sim 0 "right: 4 of 4 variants. 2 left out" ${little})
  ladder_expect(ranks/simulated/left-out/reason sim 0
                "^strassen-bfs on 1 rank: it needs 275456 bytes .* of each rank.s GPU, 200000 .* are free"
                ${little})
  ladder_expect(ranks/simulated/left-out/all sim 3 "^not enough memory: 114688 bytes .* are needed, 100000 .* are free"
                env SIMGPU_MEMORY=100000 ${gpus} --n 64 --levels 2 --untimed)
  # Options of the other simulated steps that would do nothing here.
  foreach(option count no-count report calls "gpu modern" "shuffle 1" "addresses all")
    separate_arguments(words UNIX_COMMAND ${option})
    list(GET words 0 name)
    ladder_expect(bad-input/22-gpus.sim/${name} sim 2 "^--${name} does nothing in 22-many-gpus: leave it out"
                  ${gpus} --n 32 --untimed --${words})
  endforeach()
  ladder_script_test(bad-input/22-gpus.sim/help sim unlisted.sh ${gpus}
                     "count|no-count|report|gpu|shuffle|addresses|calls|output|ld-extra|tau1|tau2")
  foreach(name 2 pinned/messages refused/messages)
    ladder_test_property(ranks/simulated/${name} SKIP_RETURN_CODE 77)
    ladder_test_property(ranks/simulated/${name} PROCESSORS 2)
  endforeach()
  # Simulated GPUs of one process: all ranks on one, each on its own, and a rank for each without a word
  # about it.
  function(ladder_sim_threads name devices status pattern)
    ladder_expect(ranks/simulated/one-process/${name} sim ${status} ${pattern} env SIMGPU_DEVICES=${devices}
                  $<TARGET_FILE:22-gpus.sim> --untimed ${ARGN})
  endfunction()
  set(odd --m 41 --n 30 --k 57)
  ladder_sim_threads(2-on-1 1 0 "right: 6 of 6" ${odd} --one-process --ranks 2)
  ladder_sim_threads(2 2 0 "right: 6 of 6" ${odd} --one-process --ranks 2)
  ladder_sim_threads(4 4 0 "right: 4 of 4" ${odd} --variant summa,cannon,strassen-dfs,strassen-over-summa)
  ladder_sim_threads(library 2 0 "right: 2 of 2" --n 100 --variant summa,strassen-bfs --leaf library)
  ladder_sim_threads(device 2 0 ".passed.:true.*.host_memory.:.pinned." --n 90 --variant strassen-dfs --device-memory 40 --json)
  ladder_sim_threads(stays 2 0 ".passed.:true.*.device_words_there.:32768,.device_words_back.:8192," --n 128 --variant summa
                     --device-memory 96 --json)
  ladder_sim_threads(short 2 1 "on integers: C.0..0. of rank 0: expected 27, got" --n 50 --variant summa-short)
  ladder_sim_threads(failing 2 3 "^rank [01] of 2 .process [0-9]+. has failed, the reason is above" --n 64 --variant summa
                     --leaf failing)
  # One row and one column are the last rank's: it alone multiplies, and fails, while the others wait.
  ladder_sim_threads(failing-last 4 3 "^rank 3 of 4 .process [0-9]+. has failed, the reason is above" --n 1 --variant summa
                     --leaf failing)
  ladder_sim_threads(failing-many 8 3 "^rank [0-7] of 8 .process [0-9]+. has failed, the reason is above" --n 64
                     --variant strassen-bfs --leaf failing)
endif()
# What goes wrong is said.
function(ladder_ranks_end name how signal to status pattern)
  ladder_script_test(ranks/end/${name} cpu ranks-end.sh ${how} ${signal} ${to} ${status} ${pattern} $<TARGET_FILE:${step}>)
  ladder_test_property(ranks/end/${name} SKIP_RETURN_CODE 77)
  ladder_test_property(ranks/end/${name} PROCESSORS 2)
  ladder_test_property(ranks/end/${name} COST 40)
endfunction()
ladder_ranks_end(KILL ranks KILL rank 3 "^rank 2 of 4 .process [0-9]+. has died of signal 9 .* fewer ranks")
ladder_ranks_end(mpirun/KILL mpirun KILL rank 3 "^rank 2 of 4 .process [0-9]+. has died of signal 9 .* fewer ranks")
ladder_ranks_end(mpirun/STOP mpirun STOP rank 3 "Rank 2 .process [0-9]+. is stopped, by kill -STOP")
# An mpirun that does not end after its ranks, as Open MPI's own may.
if(BUILD_TESTING AND mpi)
  ladder_expect(ranks/end/mpirun-hangs cpu 3 "^mpirun has not ended 2 s after its ranks: it is killed" env
                OMPI_ALLOW_RUN_AS_ROOT=1 PATH=${LADDER_TESTS}/ranks/hangs:$ENV{PATH} $<TARGET_FILE:${step}> --ranks 2 --n 10 --limit 2)
  ladder_test_property(ranks/end/mpirun-hangs TIMEOUT 30)
endif()
# ladder_ranks_halt(name call how pattern): rank 2 of 4 stops or hangs where the others can only wait in a call of MPI.
function(ladder_ranks_halt name call how pattern)
  if(TARGET 22-halting)
    ladder_script_test(ranks/halt/${name} cpu ranks.sh 3 ${pattern} 4 ${CMAKE_COMMAND} -E env HALT_RANK=2 HALT_IN=${call}
                       HALT_BY=${how} $<TARGET_FILE:22-halting> --n 50 --untimed --limit 8 --variant summa)
    ladder_test_property(ranks/halt/${name} COST 20)
  endif()
endfunction()
ladder_ranks_halt(init init stop "^rank 2 of 4 .process [0-9]+. has been stopped by signal 19 .*8 s at most. kill -CONT")
ladder_ranks_halt(split split stop "making groups of ranks: no answer within the limit. Rank 2 .process [0-9]+. is stopped")
ladder_ranks_halt(before-split after-split hang "waited 8 s for rank 2, for .numbers of all ranks.. Does it hang")
ladder_ranks_halt(finalize finalize stop "MPI_Finalize.: no answer within the limit. Rank 2 .process [0-9]+. is stopped")
# What no program can change: the process that mpirun has started gives mpirun its status.
ladder_ranks_end(mpirun/keeper mpirun KILL keeper 137 "rank 2 .*exited on signal 9")
if(NOT LADDER_SANITIZE) # which ends such a process itself
  ladder_ranks_end(mpirun/SEGV mpirun SEGV rank 3 "^rank 2 of 4 .process [0-9]+. has died of signal 11 .*under a debugger")
endif()
if(mpi)
  set(mpirun env ASAN_OPTIONS=detect_leaks=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe)
  set(program $<TARGET_FILE:${step}>)
  ladder_expect(ranks/sizes cpu 3 "m, n, k = 20, 20, 20, rank 0 for 10, 10, 10.*give all ranks the same options"
                ${mpirun} -n 1 ${program} --n 10 : -n 1 ${program} --n 20)
  if(TARGET 22-gpus.sim)
    set(sim $<TARGET_FILE:22-gpus.sim> --n 32 --untimed --variant summa)
    ladder_expect(ranks/end/gpu sim 3 "^rank 1 of 2 .process [0-9]+. has failed, the reason is above"
                  ${mpirun} -n 1 ${sim} : -n 1 ${sim} --leaf failing)
  endif()
  ladder_expect(ranks/count cpu 3 "^rank . of 2 .*--ranks says 4 ranks, but mpirun started 2"
                ${mpirun} -n 2 ${program} --n 10 --ranks 4)
endif()
ladder_expect(ranks/no-mpi/mpirun cpu 3 "built without MPI: each would" env OMPI_COMM_WORLD_SIZE=2
              $<TARGET_FILE:22-alone> --n 10)
ladder_expect(ranks/no-mpi cpu 3 "^--ranks 4 needs MPI.*apt-get install openmpi-bin" $<TARGET_FILE:22-alone> --ranks 4)
ladder_expect(ranks/no-mpi/one-process cpu 0 "right: 6 of 6" $<TARGET_FILE:22-alone> --one-process --ranks 3 --n 40 --untimed)
ladder_expect(ranks/no-mpi/one cpu 0 "one rank runs. For more, on Debian: apt-get" $<TARGET_FILE:22-alone> --n 40 --reps 1)
ladder_bad_options()
ladder_bad_input(kaporin 2 "makes its matrices on each rank: --input takes" --input kaporin)
ladder_bad_input(levels 2 "divides --levels times, 0 to 4" --levels 5)
ladder_bad_input(ranks-negative 2 "^--ranks takes a whole number from 0 to 1024, not '-1'" --ranks -1)
ladder_bad_input(tau1 2 "^--tau1 does nothing in 22-many-gpus: leave it out" --tau1 64)
ladder_bad_input(ld-extra 2 "^--ld-extra does nothing in 22-many-gpus: leave it out" --ld-extra 4)
ladder_bad_input(output 2 "^--output does nothing in 22-many-gpus: leave it out" --variant summa --output file:C.npy)
ladder_bad_input(gflops 2 "^--gflops is for --model: add --model, or leave --gflops out" --gflops 50)
ladder_bad_input(messages-device-memory 2 "^--device-memory does nothing with --messages: leave it out" --messages --json
                 --device-memory 64)
# So many runs of a warm-up take minutes: whoever makes them does not end in a second. And --reps 0 is one run, without
# the exact checks.
ladder_expect(ranks/warmup cpu 124 "^variant" timeout 1 $<TARGET_FILE:${step}> --n 256 --variant summa --reps 1 --warmup 100000)
ladder_expect(ranks/reps-0 cpu 0 ".judged_by.:.freivalds, guards." $<TARGET_FILE:${step}> --n 64 --variant summa --reps 0 --json)
