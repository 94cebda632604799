// expect: somebody else multiplies
extern "C" void openblas_multiply(int precision, const struct problem *problem);
enum { MULTIPLE_M = 1, MULTIPLE_N = 1, MULTIPLE_K = 1 };

static void multiply_yours(const struct problem *p, void *workspace)
{
    openblas_multiply(0, p);
}
