// wrong: answer
// Reading the lock and taking it are two steps here: two threads may both find it free.

extern "C" __global__ void add_all(const int* v, int n, volatile int* stats, volatile int* lock) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    while (*lock != 0) {}
    *lock = 1;
    __threadfence();
    stats[0] = stats[0] + v[i];
    stats[1] = max(stats[1], v[i]);
    __threadfence();
    *lock = 0;
}
