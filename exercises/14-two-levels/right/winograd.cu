/* Winograd's order, blocks of T of the caller's own, and the base first asked for by size. */
static void multiply(struct block a, struct block b, struct block c, int levels, real *workspace)
{
    if (levels <= 0)
        return mul(a, b, c);
    const long h = a.rows / 2;
    const struct quadrants A = quadrants_of(a), B = quadrants_of(b), C = quadrants_of(c);
    const struct block S = {workspace, h, h, h}, T = {workspace + h * h, h, h, h};
    real *const rest = workspace + 2 * h * h;
    --levels;
    sub(A.q11, A.q21, S), sub(B.q22, B.q12, T), multiply(S, T, C.q21, levels, rest);
    add(A.q21, A.q22, S), sub(B.q12, B.q11, T), multiply(S, T, C.q22, levels, rest);
    sub(S, A.q11, S), sub(B.q22, T, T), multiply(S, T, C.q11, levels, rest);
    sub(A.q12, S, S), multiply(S, B.q22, C.q12, levels, rest), add(C.q12, C.q22, C.q12);
    multiply(A.q11, B.q11, S, levels, rest), add(C.q11, S, C.q11);
    add(C.q12, C.q11, C.q12), add(C.q11, C.q21, C.q11);
    sub(T, B.q21, T), multiply(A.q22, T, C.q21, levels, rest);
    sub(C.q11, C.q21, C.q21), add(C.q11, C.q22, C.q22);
    multiply(A.q12, B.q21, C.q11, levels, rest), add(C.q11, S, C.q11);
}
