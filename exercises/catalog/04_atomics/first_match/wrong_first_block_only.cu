// wrong: answer
// The first match is nearly always in the first block. The other blocks do not look.

extern "C" __global__ void find(const int* v, int n, int key, int* first) {
    if (blockIdx.x == 0 && threadIdx.x < n && v[threadIdx.x] == key) atomicMin(first, threadIdx.x);
}
