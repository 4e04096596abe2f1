// A template in a header of its own, used with two types. It has no barrier.
// finds: race-shared at template.cuh 9, 10
#include "template.cuh"

int main()
{
    return run<int>(3) + run<double>(5);
}
