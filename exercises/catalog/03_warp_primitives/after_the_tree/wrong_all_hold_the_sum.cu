// wrong: answer
// Assumes that every lane holds the sum.
// after_the_tree: what the upper lanes hold
//
// One warp; lane t begins with the value t. Five rounds of __shfl_down_sync() add up the warp in
// lane 0. Then every lane stores what it has. Lanes 0 to 31 all exist, and all make each call. A
// lane without a lane `offset` further up gets its own value back.
//
// There is nothing to program: the kernel stays as it is. No compiler is needed.
// Read    lesson03-warp-primitives/README.md, rows `warp_sum` and `all_reduce`
//
// TODO: write after the four ANSWERs: out[0], out[31], out[16], and the name of the finding, or
// `none` if there is no finding.
// ANSWER: 496
// ANSWER: 496
// ANSWER: 496
// ANSWER: none

extern "C" __global__ void tree(int* out) {
    int sum = threadIdx.x;
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    out[threadIdx.x] = sum;
}
