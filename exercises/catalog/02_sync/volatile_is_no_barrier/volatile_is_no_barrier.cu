// volatile_is_no_barrier: volatile waits for no thread
//
// One block of n threads reverses n elements through shared memory. It had no barrier. Somebody
// tried to fix it with `volatile`, and on their GPU it was right a thousand times.
//
// `volatile` keeps the compiler from holding the value in a register: each access really happens,
// in the order of the source. It does not say when the other thread's accesses happen. (Two
// volatile accesses are not even a data race. So the emulated GPU reports the consequence instead:
// a value depends on a word that no thread has written yet.)
//
// Range    blockDim.x is from 1 to 256; in has values from -99 to 99.
// Do       Let the block wait for its writes.
// Read     lesson02-sync/README.md, row `reverse`; cargo learn explain undefined-value

extern "C" __global__ void reverse(const int* in, int* out) {
    const int t = threadIdx.x;
    const int n = blockDim.x;
    __shared__ volatile int cell[256];
    cell[t] = in[t];
    // TODO: has thread n - 1 - t written yet?
    out[t] = cell[n - 1 - t];
}
