// NAME: every element is doubled.
//
// Say here what the kernel is for, and what goes wrong.
//
// Given   v has n ints. Blocks of 64 threads, enough for all elements.
// Range   n is from 1 to 300; v has values from -99 to 99.
// Do      make the result right for every n and under every schedule.
// Read    the lesson that this belongs to, and `cargo learn explain out-of-bounds`.

extern "C" __global__ void doubled(int* v, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO: the last block may have more threads than there are elements left.
    v[i] = 2 * v[i];
}
