// chain_without_an_end.cu: a kernel does the first 32 elements, and launches itself for what is left.
//
// Given     v has n ints. The host launches walk for first = 0, with 32 threads.
// Wanted    Every v[i] becomes 2 * v[i] + 1, once.
// Budget    A launch by the device for each 32 elements after the first 32, and not one more.
// Trouble   For n = 32, 64 and 96 all is well. For n = 40 the elements are right too, and somewhere far down a
//           launch fails.
//
// Read on   lesson05-dynamic-parallelism/README.md, "pending"; cargo learn explain device-launch

extern "C" __global__ void walk(int* v, int first, int n) {
    const int i = first + threadIdx.x;
    if (i < n) v[i] = 2 * v[i] + 1;

    // TODO: when is there nothing left?
    if (threadIdx.x == 0 && first + 32 != n) {
        walk<<<1, 32>>>(v, first + 32, n);
    }
}
