// fences_to_be_safe: a barrier needs no fence
//
// Each block of 128 threads looks for the largest of 128 elements, by a tree in shared memory. It is
// right. To be safe, somebody has put a fence before every barrier, "so that the stores are there".
//
// A fence costs: the thread goes on only when all that it has written is where others can see it,
// and this one reaches the whole device. What do the barriers need it for?
//
// Do       Keep what makes it right, and no fence. One load for each 32 elements.
// Read on  lesson02-sync/README.md, "Words"; exercise flag_without_fence, where fences are needed

extern "C" __global__ void block_maximum(const int* in, int* largest) {
    __shared__ int cell[128];
    const int t = threadIdx.x;
    cell[t] = in[128 * blockIdx.x + t];
    for (int half = 64; half > 0; half /= 2) {
        __threadfence(); // TODO: what does this add to the barrier?
        __syncthreads();
        if (t < half) cell[t] = max(cell[t], cell[t + half]);
    }
    if (t == 0) largest[blockIdx.x] = cell[0];
}
