// A library that is not there.
#include <curand_kernel.h>
int main() {}
