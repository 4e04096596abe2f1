// nobody_to_the_left: a running sum
//
// Each block is one warp. out[i] becomes the sum of the warp's elements up to and including in[i]
// (an "inclusive scan"). Round one adds the left neighbour, round two the lane two to the left.
// Then come 4, 8 and 16 lanes to the left: five rounds instead of 31.
//
//     __shfl_up_sync(0xffffffff, value, offset)    value of the lane `offset` further down
//
// Lanes at the left end have no lane that far down. They get their own value back.
//
// Range   gridDim.x is from 1 to 4; in has values from -99 to 99.
// Do      Fix the sums. All lanes named in the mask must call the shuffle. One load per element.
// Read    lesson03-warp-primitives/README.md, row `exchange`

extern "C" __global__ void running_sum(const int* in, int* out) {
    const int lane = threadIdx.x;
    int sum = in[32 * blockIdx.x + lane];
    for (int offset = 1; offset < 32; offset *= 2) {
        // TODO: which lanes have no lane that far to the left?
        sum += __shfl_up_sync(0xffffffff, sum, offset);
    }
    out[32 * blockIdx.x + lane] = sum;
}
