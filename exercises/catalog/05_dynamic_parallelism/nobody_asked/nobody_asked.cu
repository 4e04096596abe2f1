// nobody_asked.cu: a child squares n elements, and the host learns whether there was a child.
//
// Given     v has n ints, 1 to 1100 of them. The host launches square_below with one thread; *error is -1.
// Wanted    Every v[i] squared, by a thread for each; *error is what cudaGetLastError() says behind the launch: 0.
// Trouble   It works for small n. For large n nothing is squared, and nobody says so.
//
// Read on   lesson05-dynamic-parallelism/README.md, "Errors stay where they are made"; cargo learn explain device-launch

extern "C" __global__ void square_all(int* v, int n) {
    v[threadIdx.x] *= v[threadIdx.x];
}

extern "C" __global__ void square_below(int* v, int n, int* error) {
    // TODO: launch it so that it works for each n, and ask whether it did.
    square_all<<<1, n>>>(v, n);
}
