// segments_of_eight: four small warps in one
//
// Elements come in groups of eight, four groups per warp. out[i] becomes the difference between
// in[i] and the first element of its group. Each block is one warp, with one element per lane.
//
//     __shfl_sync(0xffffffff, value, k)    value of lane k
//
// The shuffle gives lane 0's element to the whole warp. So three of the four groups are compared
// with the wrong element.
//
// Range   gridDim.x is from 1 to 4; in has values from -99 to 99.
// Do      Give each group its own first element. Load each element once.
// Read    lesson03-warp-primitives/README.md, row `exchange`: it draws every width

extern "C" __global__ void from_the_first(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int mine = in[32 * blockIdx.x + lane];
    // TODO: the first element of this lane's group of eight
    const int first = __shfl_sync(0xffffffff, mine, 0);
    out[32 * blockIdx.x + lane] = mine - first;
}
