// kept_in_front: where do I write?
//
// Each block is one warp with 32 elements. Those above 0 move to the front of the warp's 32
// elements of `out`, in their old order, and kept[] gets their number. The rest of `out` stays 0.
//
// Each lane knows whether it keeps its element. But it does not know how many lanes before it do.
// Now every element is written to its old position, and there are gaps.
//
//     __ballot_sync(0xffffffff, keep)    bit k says whether lane k keeps its element
//     __popc(word)                       how many bits of the word are 1
//
// Range   gridDim.x is from 1 to 4; in has values from -99 to 99.
// Do      Compute `place` and `count`. One load per element, no atomics.
// Read    lesson03-warp-primitives/README.md, row `vote`

extern "C" __global__ void keep_positive(const int* in, int* out, int* kept) {
    const int lane = threadIdx.x;
    const int mine = in[32 * blockIdx.x + lane];
    const bool keep = mine > 0;
    // TODO: how many lanes below this one keep their element, and how many in total?
    const int place = lane;
    const int count = 32;
    if (keep) out[32 * blockIdx.x + place] = mine;
    if (lane == 0) kept[blockIdx.x] = count;
}
