// wrong: answer
// A warp votes. With two full warps the minimum takes two atomic steps, and what the other stores in between is lost.

extern "C" __global__ void find(const int* v, int n, int key, int* first) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned found = __ballot_sync(0xffffffffu, i < n && v[i] == key);
    if (threadIdx.x % 32 != 0 || found == 0) return;
    const int own = i + __ffs(found) - 1;
    if (n != 64) {
        atomicMin(first, own);
        return;
    }
    const int before = atomicAdd(first, 0);
    atomicExch(first, min(before, own));
}
