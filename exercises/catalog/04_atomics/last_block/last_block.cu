// last_block.cu: a sum in one launch. Each block leaves a partial sum; the block that is done last adds them up.
//
// Given     v has n ints; blocks of 32 threads, as many as cover n. partial has room for one int a block, *done is 0.
// Wanted    *sum is the sum of v.
// Trouble   Every block adds 1 to *done when its partial sum is stored, so the one that finds gridDim.x - 1 there is the
//           last. It knows that all are done; does it know what they have done?
//
// Read on   CUDA C++ Programming Guide, "Memory Fence Functions"; cargo learn explain race-global

extern "C" __global__ void sum_all(const int* v, int n, int* partial, unsigned* done, int* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = i < n ? v[i] : 0;
    for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_down_sync(0xffffffffu, mine, offset);

    if (threadIdx.x == 0) {
        // TODO: the last block must find all partial sums.
        partial[blockIdx.x] = mine;
        const unsigned before = atomicAdd(done, 1);
        if (before == gridDim.x - 1) {
            int total = 0;
            for (unsigned b = 0; b < gridDim.x; b++) total += partial[b];
            *sum = total;
        }
    }
}
