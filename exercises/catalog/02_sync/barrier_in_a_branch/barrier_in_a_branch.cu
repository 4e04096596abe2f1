// barrier_in_a_branch: two barriers are not one
//
// One block of n threads works out how much each element differs from the one before it:
// out[t] = in[t] - in[t - 1], and out[0] = in[0]. The elements go through shared memory, so each
// thread must wait for its left neighbour's store.
//
// Thread 0 has no left neighbour and takes the other branch. Every thread calls __syncthreads(),
// and on a GPU it even seems to work: the hardware counts arrivals. But the two calls are two
// barriers, and the threads of one warp must all come to the same one.
//
// Do       Let all threads wait at one barrier. Results must stay the same.
// Read on  lesson02-sync/README.md, row `barrier_sides`; cargo learn explain barrier-divergence

extern "C" __global__ void differences(const int* in, int* out) {
    __shared__ int row[256];
    const int t = threadIdx.x;
    row[t] = in[t];
    // TODO: one barrier for all
    if (t == 0) {
        __syncthreads();
        out[t] = row[t];
    } else {
        __syncthreads();
        out[t] = row[t] - row[t - 1];
    }
}
