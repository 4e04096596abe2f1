// wrong: race-global
// No copy: each thread writes to the other end, which another thread still has to read.

extern "C" __global__ void reverse(int* v, int n, int* copy) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < n; i += gridDim.x * blockDim.x) {
        const int mine = v[i];
        v[n - 1 - i] = mine;
    }
}
