// expect: workspace bytes where [0-9]+ are possible
enum { LEVELS = 0 };
static size_t elements(long m, long n, long k) { return m * n * 9; }
static void multiply(struct block a, struct block b, struct block c, real *workspace) { mul(a, b, c); }
