enum { ROW = 65 };
// expect: It is to be written without gpu8_main_loop
#define LOOP() gpu8_main_loop(a, lda, b, ldb, k, as, cr)
