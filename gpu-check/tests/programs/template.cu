// A template in a header of its own, used with two types.
// flags: -DBARRIER=__syncthreads()
// prints: 318 510
#include "template.cuh"

int main()
{
    return run<int>(3) + run<double>(5);
}
