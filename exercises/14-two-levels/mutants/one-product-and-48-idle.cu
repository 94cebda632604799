// expect: multiplications where it takes [0-9]+
/* The whole product, and 48 that nobody needs. */
static void multiply(struct block a, struct block b, struct block c, int levels, real *workspace)
{
    for (int i = 1; levels == 2 && i < 49; i++)
        mul(part(a, 0, 0, 16, 16), part(b, 0, 0, 16, 16), part(c, 0, 0, 16, 16));
    mul(a, b, c);
}
