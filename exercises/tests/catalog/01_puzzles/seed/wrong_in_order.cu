// wrong: answer
// The first schedule that comes to mind is the one that hides it.
// seed: one warp, and a flag that nobody orders.
//
// TODO: find a schedule under which `out[0]` is 0.
// SCHEDULE: in-order

extern "C" __global__ void seed(int* data, int* out) {
    if (threadIdx.x == 0) data[0] = 1;
    if (threadIdx.x == 32) out[0] = data[0];
}
