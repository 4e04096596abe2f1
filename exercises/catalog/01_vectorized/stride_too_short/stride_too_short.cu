// stride_too_short: whose turn is it?
//
// The kernel adds 1 to each of n elements, in place. 3 blocks of 64 threads share the work by a
// grid-stride loop: each thread begins at its own number and goes on in strides, until the end.
//
// With one block it would be right. With three, some elements get more than their 1, or two
// threads change one element at the same moment and one of the two additions is lost.
//
// Do       Mend the loop: each element is changed once, by one thread. No atomics are needed.
// Read on  lesson01-vectorized/README.md; cargo learn explain race-global

extern "C" __global__ void add_one(int* data, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO: by how much must a thread go on, so that it meets nobody else's elements?
    for (int i = first; i < n; i += blockDim.x) {
        data[i] += 1;
    }
}
