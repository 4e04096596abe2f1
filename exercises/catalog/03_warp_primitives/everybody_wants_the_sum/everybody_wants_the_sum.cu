// everybody_wants_the_sum: the sum for every lane
//
// Each block is one warp. out[i] becomes the sum of the other 31 elements of the warp: the sum of
// the warp minus in[i]. So every lane needs the sum.
//
// The loop is the tree from many slides, and the kernel's last line is right. Which lanes hold the
// whole sum in `sum`?
//
// Range   gridDim.x is from 1 to 4; in has values from -59999999 to 59999999.
// Do      Give every lane the sum. The budget is one load and six shuffles per warp.
// Read    lesson03-warp-primitives/README.md, row `all_reduce`

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
