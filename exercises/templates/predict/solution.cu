// NAME: each lane gets the value of its left neighbour.
//
// Say here what the kernel does, and ask for its result. The answers are taken from a run.
//
// TODO: what are out[31] and out[0] in the end, and which finding comes first (a slug, or none)?
// ANSWER: 130
// ANSWER: 100
// ANSWER: none

extern "C" __global__ void from_the_left(int* out) {
    const int mine = 100 + threadIdx.x;
    out[threadIdx.x] = __shfl_up_sync(0xffffffff, mine, 1);
}
