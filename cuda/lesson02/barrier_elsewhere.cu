// lesson02/barrier_elsewhere.cu: each warp adds up its values as a tree, and the block waits for all warps.
//
// Idea      A barrier waits for exactly the threads that it names. If one of them cannot come, no thread goes on.
// Broken    __syncwarp() is reached only by the lanes that still add, but it names all 32. The other lanes
//           have left the loop and wait at __syncthreads(), for the lanes that add.
// Correct   __syncwarp() names only the lanes that reach it.
// Contract  One block of at most 1024 threads, a multiple of 32; in has one int per thread, out one per
//           warp: the sum of its 32 values.
// Expect    broken: deadlock. correct: no findings, the exact sums.
// PTX       barrier_elsewhere_broken: bar.warp.sync -1; ld.shared; st.shared; bar.warp.sync -1; bar.sync
// PTX       barrier_elsewhere_correct: bar.warp.sync -1; ld.shared; st.shared; bar.warp.sync; bar.sync

#define MAX_THREADS 1024

extern "C" __global__ void barrier_elsewhere_broken(const int* in, int* out) {
    __shared__ int s[MAX_THREADS];
    const unsigned t = threadIdx.x;
    const unsigned lane = t % 32;

    s[t] = in[t];
    __syncwarp();
    for (unsigned half = 16; half > 0; half /= 2) {
        if (lane >= half) break; // This lane has nothing more to add.
        s[t] += s[t + half];
        // BUG: waits for all 32 lanes, but those that left the loop never come here.
        __syncwarp();
    }
    __syncthreads();
    if (t < blockDim.x / 32) out[t] = s[32 * t];
}

extern "C" __global__ void barrier_elsewhere_correct(const int* in, int* out) {
    __shared__ int s[MAX_THREADS];
    const unsigned t = threadIdx.x;
    const unsigned lane = t % 32;

    s[t] = in[t];
    __syncwarp();
    for (unsigned half = 16; half > 0; half /= 2) {
        if (lane >= half) break; // This lane has nothing more to add.
        s[t] += s[t + half];
        __syncwarp((1u << half) - 1); // FIX: lanes 0 to half - 1, which are here.
    }
    __syncthreads();
    if (t < blockDim.x / 32) out[t] = s[32 * t];
}
