// borrowed_memory: a parent computes two limits, and a child clamps all elements to them.
//
// Given    v has n ints; scratch has four, if you want them. The host launches clamp_around_middle with one thread.
// Range    n is from 1 to 150; v has values from -50 to 50.
// Do       Clamp every v[i] to 10 below and 10 above the middle element of v. Use one thread per element.
// Problem  The limits are in an array of the parent's thread.
//
// Read     lesson05-dynamic-parallelism/README.md, row `child_pointer`; cargo learn explain device-launch

extern "C" __global__ void clamp_all(int* v, int n, const int* limits) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = min(max(v[i], limits[0]), limits[1]);
}

extern "C" __global__ void clamp_around_middle(int* v, int n, int* scratch) {
    int limits[2];
    limits[0] = v[n / 2] - 10;
    limits[1] = v[n / 2] + 10;

    // TODO: pass the limits to the child in a form that it can use.
    clamp_all<<<(n + 63) / 64, 64>>>(v, n, limits);
}
