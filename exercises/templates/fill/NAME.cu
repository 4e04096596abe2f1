// NAME: copy an array in reverse order.
//
// Say here what the kernel is for, and what a student must know to write it.
//
// Given   in and out have n ints each. Blocks of 64 threads, enough for all elements.
// Range   n is from 1 to 300; in has values from -99 to 99.
// Do      write the kernel: out[i] becomes in[n - 1 - i].
// Read    the lesson that this belongs to.

extern "C" __global__ void turned(const int* in, int* out, int n) {
    // TODO: one element per thread.
}
