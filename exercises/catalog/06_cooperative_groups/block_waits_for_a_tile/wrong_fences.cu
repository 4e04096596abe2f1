// wrong: race-shared
// A fence is not a barrier. It orders this thread's own accesses, and waits for nobody.

extern "C" __global__ void smoothen(const int* v, int n, int* smooth) {
    __shared__ int temp[128];
    int* row = temp + threadIdx.x / 16 * 16;
    const int rank = threadIdx.x % 16, i = blockIdx.x * 128 + threadIdx.x;
    int mine = i < n ? v[i] : 0;
    for (int round = 0; round < 3; round++) {
        row[rank] = mine;
        __threadfence_block();
        mine += row[(rank + 1) % 16] + row[(rank + 15) % 16];
        __threadfence_block();
    }
    if (i < n) smooth[i] = mine;
}
