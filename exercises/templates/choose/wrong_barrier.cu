// wrong: race-global
// A barrier orders accesses before it and after it, not two accesses between the same barriers.

extern "C" __global__ void largest(const int* v, int n, int* most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __syncthreads();
    if (i < n && v[i] > *most) *most = v[i];
    __syncthreads();
}
