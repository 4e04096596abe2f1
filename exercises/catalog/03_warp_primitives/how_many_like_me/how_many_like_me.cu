// how_many_like_me: one question instead of thirty-two
//
// Each block is one warp. out[i] becomes the number of elements of the warp that are equal to
// in[i], itself included. Elements are 0 to 15.
//
// The kernel is right. Every lane gets every other lane's element, one shuffle after the other: the
// warp meets 32 times.
//
// Range   gridDim.x is from 1 to 4; in has values from 0 to 15.
// Do      Find the number with at most four meetings. One load per element.
// Read    lesson03-warp-primitives/README.md, row `match`; cuda/lesson03/match.cu

extern "C" __global__ void how_many_like_me(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int mine = in[32 * blockIdx.x + lane];
    int count = 0;
    // TODO: one call tells a lane which lanes hold the same value
    for (int k = 0; k < 32; k++) {
        if (__shfl_sync(0xffffffff, mine, k) == mine) count++;
    }
    out[32 * blockIdx.x + lane] = count;
}
