// lost_update: how many elements of v are even?
//
// Given   v has n ints. *count is 0 at first. There is one thread per element, in blocks of 128.
// Range   n is from 1 to 300; v has values from -9 to 9.
// Do      Make *count the number of even elements, in whatever order the threads run.
// Now     Run it and read the report: two threads access the same address, in no order.
//
// Read    lesson04-atomics/README.md, "Idea"; cargo learn explain race-global

extern "C" __global__ void count_even(const int* v, int n, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    if (v[i] % 2 == 0) {
        // TODO: no addition may get lost.
        *count += 1;
    }
}
