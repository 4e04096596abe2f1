// lesson03/transpose.cu: a warp turns a tile of 4 x 8 into one of 8 x 4 through shared memory.
//
// Idea      The lanes of a warp are threads, and need not run in step. Only a barrier orders two threads.
// Broken    Lane 1 may read tile[1][0] before lane 8, of the same warp, has written it.
// Correct   One __syncwarp() between the write and the read.
// Contract  One warp per block; in and out have 32 floats per block.
// Expect    broken: race-shared. correct: no findings; of each tile, out[4 * x + y] is in[8 * y + x].
// PTX       transpose_broken: st.shared; not bar; not barrier; ld.shared
// PTX       transpose_correct: st.shared; bar.warp.sync; ld.shared

extern "C" __global__ void transpose_broken(const float* in, float* out) {
    __shared__ float tile[4][8];
    const unsigned t = threadIdx.x;
    const unsigned first = 32 * blockIdx.x;

    tile[t / 8][t % 8] = in[first + t];
    // BUG: no barrier between this write and another lane's read below.
    out[first + t] = tile[t % 4][t / 4];
}

extern "C" __global__ void transpose_correct(const float* in, float* out) {
    __shared__ float tile[4][8];
    const unsigned t = threadIdx.x;
    const unsigned first = 32 * blockIdx.x;

    tile[t / 8][t % 8] = in[first + t];
    __syncwarp(); // FIX: all 32 writes happen before any read below.
    out[first + t] = tile[t % 4][t / 4];
}
