// NAME: thread 0 passes a number to thread 32, which is in another warp.
//
// Say here what the kernel is for, and what the run should show.
//
// TODO: find a schedule with out[0] equal to 0: in-order, reverse, or one of random, pct, adversarial with a seed.
// SCHEDULE: random 3

extern "C" __global__ void handed_over(int* data, int* out) {
    if (threadIdx.x == 0) data[0] = 1;
    if (threadIdx.x == 32) out[0] = data[0];
}
