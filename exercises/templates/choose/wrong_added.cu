// wrong: answer
// It is atomic, but it computes a sum.

extern "C" __global__ void largest(const int* v, int n, int* most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(most, v[i]);
}
