// NAME: copy an array in reverse order.
//
// Say here what the kernel is for, and what a student must know to write it.
//
// Given   in and out have n ints each. Blocks of 64 threads, enough for all elements.
// Do      write the kernel: out[i] becomes in[n - 1 - i].
// Read    the lesson that this belongs to.

extern "C" __global__ void turned(const int* in, int* out, int n) {
    // TODO: one element per thread.
}
