// missing_barrier: each block reverses its piece of `data`, using shared memory.
//
// The block copies its piece into `tile`. Then each thread takes its element from the other end. On
// a GPU this mostly works: the warps of a block mostly start in order. But nothing guarantees it.
//
// Given    n threads in one block, and n elements; data[i] should become what data[n - 1 - i] was.
// Range    n is from 1 to 512; data has values from -99 to 99.
// Do       Make the result right in every order in which the threads may run.
// Read     lesson02-sync/README.md; cargo learn explain race-shared

extern "C" __global__ void turn_round(int* data, int n) {
    __shared__ int tile[512];
    const int i = threadIdx.x;

    tile[i] = data[i];
    // TODO: the thread that writes tile[n - 1 - i] may not have run yet
    data[i] = tile[n - 1 - i];
}
