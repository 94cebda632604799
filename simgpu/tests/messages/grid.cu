// A group that is not there.
#include <cooperative_groups.h>
__global__ void wait()
{
    auto grid = cooperative_groups::this_grid();
}
int main()
{
    wait<<<1, 32>>>();
}
