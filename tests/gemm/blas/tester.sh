#!/bin/sh
# SPDX-License-Identifier: MIT
# tester.sh TESTER SHIM PRECISION PLAN divided|everywhere [few]: the reference BLAS's tester of level 3
# (xblat3s, xblat3d) with the shim's gemm, error exits and all.
#
# The tester bounds an element's error by 16 units of round-off of the products that the element is made
# of. No method with fewer products than n^3 can promise that for all matrices: its errors go with the
# largest elements of A and B. For the tester's matrices it holds all the same
#
#   divided     where a level divides something: both halves of each edge contain elements of the matrix.
#               These products have levels, the others are cuBLAS's, and the threshold is the tester's own, 16.
#   everywhere  Each product has levels, also one with k = 1, where half of each factor is padding and the
#               level only adds the errors of sums that would cancel without round-off. One level makes
#               Higham's bound (theorem 23.3) 18 times as large, and so the threshold here. A wrong element
#               has a ratio of millions.
#
# Three levels divide no edge below 17, which is none of the tester's sizes. At 17 x 17 x 17 they leave an
# element of a column that the tester made a thousand times smaller than others with a ratio above 2900 in float.
# few: of the 17496 calls those with fewer sizes, one alpha and one beta. Otherwise the tester runs
# once more with the threshold 0: then it says how large the largest ratio was.
#
# Where TESTER is not there the one of LADDER_BLAS_TESTERS, a folder, is taken. Exit status: 77 without a tester or a GPU.
tester=$1 shim=$2 precision=$3 plan=$4 where=$5
[ -x "$tester" ] || tester=${LADDER_BLAS_TESTERS:-}/${tester##*/}
[ -x "$tester" ] || { echo "skipped: there is no ${tester##*/}; LADDER_BLAS_TESTERS names its folder"; exit 77; }
threshold=16.0
levels=${plan#* } levels=${levels%% *}
calls=17496 sizes="6 |0 1 2 3 5 9" alphas="3 |0.0 1.0 0.7" betas="3 |0.0 1.0 1.3"
case $where in
divided) ;;
everywhere)
    for level in 1 2 3; do
        [ "$level" -gt "$levels" ] || threshold=$((${threshold%.*} * 18)).0
    done
    ;;
*) exit 2 ;;
esac
[ "$6" != few ] || { calls=243 sizes="3 |0 2 9" alphas="1 |0.7" betas="1 |1.3"; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
run() { # THRESHOLD
    cat > in <<END
'out'             NAME OF SUMMARY OUTPUT FILE
6                 UNIT NUMBER OF SUMMARY FILE
'snap'            NAME OF SNAPSHOT OUTPUT FILE
-1                UNIT NUMBER OF SNAPSHOT FILE (NOT USED IF .LT. 0)
F        LOGICAL FLAG, T TO REWIND SNAPSHOT FILE AFTER EACH RECORD.
F        LOGICAL FLAG, T TO STOP ON FAILURES.
T        LOGICAL FLAG, T TO TEST ERROR EXITS.
$1     THRESHOLD VALUE OF TEST RATIO
${sizes%%|*}                NUMBER OF VALUES OF N
${sizes#*|}       VALUES OF N
${alphas%%|*}                NUMBER OF VALUES OF ALPHA
${alphas#*|}       VALUES OF ALPHA
${betas%%|*}                NUMBER OF VALUES OF BETA
${betas#*|}       VALUES OF BETA
${precision}GEMM  T PUT F FOR NO TEST. SAME COLUMNS.
${precision}SYMM  F PUT F FOR NO TEST. SAME COLUMNS.
${precision}TRMM  F PUT F FOR NO TEST. SAME COLUMNS.
${precision}TRSM  F PUT F FOR NO TEST. SAME COLUMNS.
${precision}SYRK  F PUT F FOR NO TEST. SAME COLUMNS.
${precision}SYR2K F PUT F FOR NO TEST. SAME COLUMNS.
END
    LADDER_BLAS_PLAN="$plan $where" LD_PRELOAD=$shim "$tester" < in 2>said >printed
}
run $threshold
cat out printed said 2>/dev/null
grep -q 'no device' said && exit 77
grep -q "${precision}GEMM *PASSED THE TESTS OF ERROR-EXITS" out || exit 1
grep -q "${precision}GEMM *PASSED THE COMPUTATIONAL TESTS ( *$calls CALLS)" out || exit 1
grep -q "^[1-9][0-9]* products" said && ! grep -q fault said || exit 1
[ "$levels" = 0 ] || grep -q ", [1-9][0-9]* of them with levels, $levels at most" said || exit 1
[ "$6" = few ] || { run 0.0; sed -n "s/.*MAXIMUM TEST RATIO *\([0-9.]*\).*/largest ratio: \1 of $threshold/p" out; }
