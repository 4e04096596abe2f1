// everybody_wants_the_sum: the sum for every lane
//
// Each block is one warp. out[i] becomes what all the other 31 elements of the warp add up to: the
// sum of the warp, less in[i]. So every lane needs the sum.
//
// The loop is the tree from many slides, and its last line is right. In which lanes is `sum` the
// sum?
//
// Do       Let every lane have it. The budget is one load and six shuffles a warp.
// Read on  lesson03-warp-primitives/README.md, row `all_reduce`

extern "C" __global__ void rest_of_the_warp(const int* in, int* out) {
    const int i = 32 * blockIdx.x + threadIdx.x;
    const int mine = in[i];
    int sum = mine;
    // TODO: a tree ends at its root
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    out[i] = sum - mine;
}
