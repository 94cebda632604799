#!/bin/sh
# blas-tester.sh TESTER SHIM PRECISION PLAN [few]: the reference BLAS's tester of level 3 (xblat3s,
# xblat3d) with the shim's gemm, error exits and all; few: of its 17496 calls those with fewer sizes,
# one alpha and one beta.
#
# The tester bounds an element's error by 16 units of round-off of the products that the element is made
# of. No method of Strassen's kind can promise that: its errors go with the largest elements of A and B.
# A level makes Higham's bound (theorem 23.3) 18 times as large, so the threshold is 16 * 18^levels; the
# ratio that was seen is printed. A wrong element has a ratio of millions. The tester's own threshold is
# kept without levels only. Larger sizes do not help: its generator makes columns of B that are a
# thousand times smaller than others, and at 33 x 33 x 48 an element of such a column has a ratio
# above the 2900 that the tester never takes in float, with a single level, too.
tester=$1 shim=$2 precision=$3 plan=$4
threshold=16.0
levels=${plan#* }
for level in 1 2 3; do
    [ "$level" -gt "${levels%% *}" ] || threshold=$((${threshold%.*} * 18)).0
done
if [ "$5" = few ]; then
    calls=243 sizes="3 |0 2 9" alphas="1 |0.7" betas="1 |1.3"
else
    calls=17496 sizes="6 |0 1 2 3 5 9" alphas="3 |0.0 1.0 0.7" betas="3 |0.0 1.0 1.3"
fi
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
cat > in <<END
'out'             NAME OF SUMMARY OUTPUT FILE
6                 UNIT NUMBER OF SUMMARY FILE
'snap'            NAME OF SNAPSHOT OUTPUT FILE
-1                UNIT NUMBER OF SNAPSHOT FILE (NOT USED IF .LT. 0)
F        LOGICAL FLAG, T TO REWIND SNAPSHOT FILE AFTER EACH RECORD.
F        LOGICAL FLAG, T TO STOP ON FAILURES.
T        LOGICAL FLAG, T TO TEST ERROR EXITS.
$threshold     THRESHOLD VALUE OF TEST RATIO
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
LADDER_BLAS_PLAN=$plan LD_PRELOAD=$shim "$tester" < in 2>said >printed
cat out printed said 2>/dev/null
grep -q "${precision}GEMM *PASSED THE TESTS OF ERROR-EXITS" out || exit 1
grep -q "${precision}GEMM *PASSED THE COMPUTATIONAL TESTS ( *$calls CALLS)" out || exit 1
grep -q "^[1-9][0-9]* products" said && ! grep -q fault said || exit 1
case $plan in
*" 0 "*) ;;
*) grep -q ", [1-9][0-9]* of them with levels" said || exit 1 ;;
esac
