// NAME: copy an array, the last element first.
//
// Say here what the kernel is for, and what it takes to write it.
//
// Given   in and out have n ints each. There are blocks of 64 threads, enough for all of them.
// Do      write the kernel: out[i] becomes in[n - 1 - i].
// Read    the lesson that it belongs to.

extern "C" __global__ void turned(const int* in, int* out, int n) {
    // TODO: one element a thread.
}
