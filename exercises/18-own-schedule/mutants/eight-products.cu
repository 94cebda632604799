// expect: right, but 8 products where it takes 7
static void one_level(struct block a, struct block b, struct block c, real *workspace)
{
    struct quadrants A = quadrants_of(a), B = quadrants_of(b), C = quadrants_of(c);
    struct block T = take_block(&workspace, c.rows / 2, c.rows / 2);
    mul(A.q11, B.q11, C.q11), mul(A.q12, B.q21, T), add(C.q11, T, C.q11);
    mul(A.q11, B.q12, C.q12), mul(A.q12, B.q22, T), add(C.q12, T, C.q12);
    mul(A.q21, B.q11, C.q21), mul(A.q22, B.q21, T), add(C.q21, T, C.q21);
    mul(A.q21, B.q12, C.q22), mul(A.q22, B.q22, T), add(C.q22, T, C.q22);
}

static size_t elements(long n) { return (size_t)(n / 2) * (size_t)(n / 2); }
