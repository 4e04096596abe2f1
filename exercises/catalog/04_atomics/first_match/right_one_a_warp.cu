// A warp votes, and its lowest lane with a match calls the atomic.

extern "C" __global__ void find(const int* v, int n, int key, int* first) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned found = __ballot_sync(0xffffffffu, i < n && v[i] == key);
    if (threadIdx.x % 32 == 0 && found != 0) atomicMin(first, i + __ffs(found) - 1);
}
