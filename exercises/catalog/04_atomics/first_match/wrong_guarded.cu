// wrong: race-global
// "Compare first, it saves atomics." It may, but the comparison is a plain load that races with them.

extern "C" __global__ void find(const int* v, int n, int key, int* first) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || v[i] != key) return;

    if (i < *first) atomicMin(first, i);
}
