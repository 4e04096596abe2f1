// wrong: idle
// Thread 0 of each block does the work of its 128 threads: no addition gets lost, and 127 threads have nothing to do.

extern "C" __global__ void count_even(const int* v, int n, int* count) {
    if (threadIdx.x != 0) return;
    int own = 0;
    for (int i = blockIdx.x * 128; i < n && i < blockIdx.x * 128 + 128; i++) own += v[i] % 2 == 0;
    atomicAdd(count, own);
}
