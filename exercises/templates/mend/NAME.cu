// NAME: every element is to be doubled.
//
// Say here what the kernel is for, and what one sees when it goes wrong.
//
// Given   v has n ints. There are blocks of 64 threads, enough for all of them.
// Do      make the result right for every n, in every order in which the threads may run.
// Read    the lesson that it belongs to, and `cargo learn explain out-of-bounds`.

extern "C" __global__ void doubled(int* v, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO: the last block may have more threads than there are elements left.
    v[i] = 2 * v[i];
}
