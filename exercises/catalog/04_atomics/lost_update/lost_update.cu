// lost_update.cu: how many elements of v are even?
//
// Given     v has n ints. *count is 0 at first. There is a thread for each element, in blocks of 64.
// Wanted    *count is the number of even elements, whatever order the threads run in.
// Trouble   Run it and read the report: two threads are at one place, and nothing orders them.
//
// Read on   lesson04-atomics/README.md, "Idea"; cargo learn explain race-global

extern "C" __global__ void count_even(const int* v, int n, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    if (v[i] % 2 == 0) {
        // TODO: no addition may be lost.
        *count += 1;
    }
}
