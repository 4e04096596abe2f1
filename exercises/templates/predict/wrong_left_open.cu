// wrong: todo
// One of three is left open.
// NAME: each lane hears what its left neighbour has.
//
// Say here what the kernel does, and ask what will come of it. The answers are taken from a run.
//
// TODO: what do out[31] and out[0] hold in the end, and what is found first (a slug, or none)?
// ANSWER: 130
// ANSWER: 100
// ANSWER: ?

extern "C" __global__ void from_the_left(int* out) {
    const int mine = 100 + threadIdx.x;
    out[threadIdx.x] = __shfl_up_sync(0xffffffff, mine, 1);
}
