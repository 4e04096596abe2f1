// part of: linked.cu
__constant__ int offset;

__device__ int twice(int value)
{
    return 2 * value;
}
