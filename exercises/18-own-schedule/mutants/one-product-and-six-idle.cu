// expect: multiplications where it takes [0-9]+
/* The whole product, and six of a single element. */
static void one_level(struct block a, struct block b, struct block c, real *workspace)
{
    for (int i = 1; i < 7; i++)
        mul(part(a, 0, 0, 1, 1), part(b, 0, 0, 1, 1), part(c, 0, 0, 1, 1));
    mul(a, b, c);
}
static size_t elements(long n) { return 0; }
