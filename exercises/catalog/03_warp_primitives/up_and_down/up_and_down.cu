// up_and_down: two shuffles that never meet
//
// Each block is one warp, and neighbours swap their elements: out[0] = in[1], out[1] = in[0],
// out[2] = in[3] and so on. Even lanes need the element of the lane above them, odd lanes that of
// the lane below.
//
// Each branch has the right shuffle for its lanes. But the mask says that all 32 lanes make the
// call: even lanes wait for odd lanes, and these make another call.
//
// Range   gridDim.x is from 1 to 4; in has values from -99 to 99.
// Do      Exchange the elements by calls that all lanes make. Load each element once.
// Read    lesson03-warp-primitives/README.md, row `exchange`; cargo learn explain mask-mismatch

extern "C" __global__ void swap_pairs(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int mine = in[32 * blockIdx.x + lane];
    int other;
    // TODO: one call for all 32 lanes
    if (lane % 2 == 0) {
        other = __shfl_down_sync(0xffffffff, mine, 1);
    } else {
        other = __shfl_up_sync(0xffffffff, mine, 1);
    }
    out[32 * blockIdx.x + lane] = other;
}
