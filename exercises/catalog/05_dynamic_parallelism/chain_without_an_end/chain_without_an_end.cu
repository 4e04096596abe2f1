// chain_without_an_end: a kernel processes the first 32 elements, and launches itself for the rest.
//
// Given    v has n ints. The host launches walk with first = 0 and 32 threads.
// Range    n is 1, 32, 33, 65 or 96; v has values from -99 to 99.
// Do       Every v[i] becomes 2 * v[i] + 1, once.
// Budget   The elements after the first 32 are done by launches of the device: one or more of them, and at most one
//          per 32 elements.
// Problem  For n = 32, 64 and 96 everything is right. For n = 40 the elements are right too, but after many launches
//          one of them fails.
//
// Read     lesson05-dynamic-parallelism/README.md, "pending"; cargo learn explain device-launch

extern "C" __global__ void walk(int* v, int first, int n) {
    const int i = first + threadIdx.x;
    if (i < n) v[i] = 2 * v[i] + 1;

    // TODO: when is no work left?
    if (threadIdx.x == 0 && first + 32 != n) {
        walk<<<1, 32>>>(v, first + 32, n);
    }
}
