// Each block has its own part of the vector and loops over it, with the block's size as the stride.

extern "C" __global__ void negate(const int* in, int* out, int n) {
    const int share = (n + gridDim.x - 1) / gridDim.x;
    const int begin = blockIdx.x * share;
    const int end = min(begin + share, n);
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x) out[i] = -in[i];
}
