// wrong: race-global
// A barrier orders what is before it and what is behind it, not those who come to it together.

extern "C" __global__ void largest(const int* v, int n, int* most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __syncthreads();
    if (i < n && v[i] > *most) *most = v[i];
    __syncthreads();
}
