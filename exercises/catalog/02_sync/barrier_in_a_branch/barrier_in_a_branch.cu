// barrier_in_a_branch: two barriers are not one
//
// One block of n threads computes how much each element differs from the one before it: out[t] =
// in[t] - in[t - 1], and out[0] = in[0]. The elements go through shared memory, so each thread must
// wait until its left neighbour has written.
//
// Thread 0 has no left neighbour and takes the other branch. Every thread calls __syncthreads(). On
// a GPU this even seems to work, because the hardware counts arrivals. But the two calls are two
// barriers, and all threads of a warp must reach the same one.
//
// Range    blockDim.x is from 2 to 200; in has values from -99 to 99.
// Do       Let all threads wait at one barrier. The results must stay the same.
// Read     lesson02-sync/README.md, row `barrier_sides`; cargo learn explain barrier-divergence

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
