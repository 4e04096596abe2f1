// borrowed_memory.cu: a parent works out two limits, and a child cuts all elements to them.
//
// Given     v has n ints; scratch has four, in case you want them. The host launches clamp_around_middle with one thread.
// Wanted    Every v[i] is cut to the limits: 10 below the middle element of v, and 10 above it. A thread for each.
// Trouble   The limits stand in an array of the parent's thread.
//
// Read on   lesson05-dynamic-parallelism/README.md, row `child_pointer`; cargo learn explain device-launch

extern "C" __global__ void clamp_all(int* v, int n, const int* limits) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = min(max(v[i], limits[0]), limits[1]);
}

extern "C" __global__ void clamp_around_middle(int* v, int n, int* scratch) {
    int limits[2];
    limits[0] = v[n / 2] - 10;
    limits[1] = v[n / 2] + 10;

    // TODO: the child needs the limits in a form that it can have.
    clamp_all<<<(n + 63) / 64, 64>>>(v, n, limits);
}
