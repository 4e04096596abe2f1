// volatile_is_no_barrier: volatile waits for nobody
//
// One block of n threads reverses n elements through shared memory. It had no barrier, and somebody
// has mended it with `volatile`, which on their GPU was right a thousand times.
//
// `volatile` keeps the compiler from holding the value in a register: each access really happens,
// one after the other, as written. When the other thread's accesses happen it does not say. (Two
// volatile accesses are not even a data race, and so the emulated GPU reports what comes of it
// instead: something depends on a word that nobody has written yet.)
//
// Do       Let the block wait for its stores.
// Read on  lesson02-sync/README.md, row `reverse`; cargo learn explain undefined-value

extern "C" __global__ void reverse(const int* in, int* out) {
    const int t = threadIdx.x;
    const int n = blockDim.x;
    __shared__ volatile int cell[256];
    cell[t] = in[t];
    // TODO: has thread n - 1 - t stored yet?
    out[t] = cell[n - 1 - t];
}
