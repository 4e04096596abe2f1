extern "C" __global__ void reverse(const int* v, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[n - 1 - i] = v[i];
}
