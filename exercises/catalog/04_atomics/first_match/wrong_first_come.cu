// wrong: answer
// Only who comes first stores: first in time, which need not be the first by index.

extern "C" __global__ void find(const int* v, int n, int key, int* first) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || v[i] != key) return;

    atomicCAS(first, 1000, i);
}
