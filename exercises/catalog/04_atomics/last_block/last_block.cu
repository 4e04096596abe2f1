// last_block: a sum in one launch. Each block stores a partial sum; the last block adds them up.
//
// Given   v has n ints. As many blocks of 32 threads as cover n. partial has one int per block, *done is 0.
// Range   n is from 1 to 1300; v has values from -9 to 9.
// Do      *sum is the sum of v.
// Now     Every block adds 1 to *done after it stores its partial sum. The block that gets gridDim.x - 1 is
//         the last. It knows that all others are done. Does it see what they stored?
//
// Read    CUDA C++ Programming Guide, "Memory Fence Functions"; cargo learn explain race-global

extern "C" __global__ void sum_all(const int* v, int n, int* partial, unsigned* done, int* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = i < n ? v[i] : 0;
    for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_down_sync(0xffffffffu, mine, offset);

    if (threadIdx.x == 0) {
        // TODO: the last block must read all partial sums.
        partial[blockIdx.x] = mine;
        const unsigned before = atomicAdd(done, 1);
        if (before == gridDim.x - 1) {
            int total = 0;
            for (unsigned b = 0; b < gridDim.x; b++) total += partial[b];
            *sum = total;
        }
    }
}
