// fences_to_be_safe: a barrier needs no fence
//
// Each block of 128 threads finds the largest of 128 elements with a tree in shared memory. It is
// right. But somebody has put a fence before every barrier, "so that the writes are visible".
//
// A fence costs time: the thread goes on only when others can see everything that it has written.
// This fence even reaches the whole device. Do the barriers need it?
//
// Range    gridDim.x is from 1 to 3; in has values from -999 to 999.
// Do       Keep the result right, without any fence. One load per 32 elements.
// Read     lesson02-sync/README.md, "Words"; exercise flag_without_fence, where fences are needed

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
