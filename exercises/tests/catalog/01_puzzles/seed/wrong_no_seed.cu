// wrong: todo
// A seed is missing.
// seed: one warp, and a flag that nobody orders.
//
// TODO: find a schedule under which `out[0]` is 0.
// SCHEDULE: random

extern "C" __global__ void seed(int* data, int* out) {
    if (threadIdx.x == 0) data[0] = 1;
    if (threadIdx.x == 32) out[0] = data[0];
}
