// NAME: the largest of n numbers.
//
// Say here what the kernel is for, and what there is to choose from.
//
// Given   v has n ints above 0, and *most is 0 at first. One thread per element, in blocks of 64.
// Range   n is from 1 to 300; v has values from 1 to 999.
// Do      *most becomes the largest element, under every schedule.
// Read    the lesson that this belongs to, and `cargo learn explain race-global`.

extern "C" __global__ void largest(const int* v, int n, int* most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    // TODO: which atomic function compares and writes in one step?
    if (v[i] > *most) atomicExch(most, v[i]);
}
