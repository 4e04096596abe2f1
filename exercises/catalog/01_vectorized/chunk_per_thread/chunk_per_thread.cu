// chunk_per_thread: neighbours load neighbours
//
// out[i] becomes the square of in[i]. 2 blocks of 64 threads do up to 1024 elements. Each thread
// has a chunk of 8 elements side by side, as one would share work among the cores of a CPU.
//
// Memory comes in sectors of 32 bytes, 8 ints. A load of a warp costs as many sectors as its 32
// lanes touch. Here every lane touches its own sector in every iteration: 8 times as many sectors
// as the data fills. The budget allows one visit to each sector.
//
// Range    n is from 1 to 1024; in has values from -99 to 99.
// Do       Share the elements in another way: the 32 lanes of a warp load and store 32 elements
//          side by side.
// Read     lesson01-vectorized/README.md, "What a load costs" and row `access`

extern "C" __global__ void square(const int* in, int* out, int n) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO: which element should this thread take in iteration k?
    for (int k = 0; k < 8; k++) {
        const int i = 8 * thread + k;
        if (i < n) out[i] = in[i] * in[i];
    }
}
