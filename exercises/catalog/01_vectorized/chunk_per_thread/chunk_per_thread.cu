// chunk_per_thread: neighbours load neighbours
//
// out[i] becomes the square of in[i]. 2 blocks of 64 threads do up to 1024 elements, and each
// thread has a chunk of 8 that lie side by side, as one would share work among the cores of a CPU.
//
// Memory is moved in sectors of 32 bytes, 8 ints. A load of a warp costs as many sectors as its
// 32 lanes touch. In this kernel every lane touches a sector of its own, in every round: 8 times
// as many sectors as there is data. The budget is one visit to each sector.
//
// Do       Share the elements out in another way, so that the 32 lanes of a warp load and store
//          32 elements side by side.
// Read on  lesson01-vectorized/README.md, "What a load costs" and row `access`

extern "C" __global__ void square(const int* in, int* out, int n) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO: which element should this thread take in its k-th round?
    for (int k = 0; k < 8; k++) {
        const int i = 8 * thread + k;
        if (i < n) out[i] = in[i] * in[i];
    }
}
