// NAME: thread 0 hands a number over to thread 32, which is in another warp.
//
// Say here what the kernel is for, and what the run is to show.
//
// TODO: find a schedule under which out[0] is 0: in-order, reverse, or one of random, pct, adversarial with a seed.
// SCHEDULE: reverse

extern "C" __global__ void handed_over(int* data, int* out) {
    if (threadIdx.x == 0) data[0] = 1;
    if (threadIdx.x == 32) out[0] = data[0];
}
