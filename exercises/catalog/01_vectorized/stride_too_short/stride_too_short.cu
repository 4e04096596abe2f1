// stride_too_short: whose turn is it?
//
// The kernel adds 1 to each of n elements, in place. Up to three blocks of 64 threads share the
// work with a grid-stride loop. Each thread begins at its own number and goes on by the stride, to the end.
//
// With one block it is right. With three, several threads change one element: it gets more than its
// 1. Or two threads change it at the same moment, and one of the two additions is lost.
//
// Range    n is from 1 to 700; gridDim.x is from 1 to 3; data has values from -99 to 99.
// Do       Fix the loop: one thread changes each element, once. No atomics are needed.
// Read     lesson01-vectorized/README.md; cargo learn explain race-global

extern "C" __global__ void add_one(int* data, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO: how far must a thread go on, so that no other thread has the same element?
    for (int i = first; i < n; i += blockDim.x) {
        data[i] += 1;
    }
}
