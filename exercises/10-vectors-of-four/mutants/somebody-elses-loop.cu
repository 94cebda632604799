enum { ROW = 65 };
// expect: It is to be written without gpu8_main_loop
#define gpu8_update(x, y, z) gpu8_main_loop(a, lda, b, ldb, k, as, cr)
