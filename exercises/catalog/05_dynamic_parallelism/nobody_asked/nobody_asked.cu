// nobody_asked: a child squares n elements, and the host learns whether the child was launched.
//
// Given    v has n ints, with n from 1 to 1100. The host launches square_below with one thread; *error is -1.
// Do       Square every v[i], one thread per element. Store in *error what cudaGetLastError() says after the launch: 0.
// Problem  It works for small n. For large n nothing is squared, and there is no message.
//
// Read     lesson05-dynamic-parallelism/README.md, "Errors stay where they are made"; cargo learn explain device-launch

extern "C" __global__ void square_all(int* v, int n) {
    v[threadIdx.x] *= v[threadIdx.x];
}

extern "C" __global__ void square_below(int* v, int n, int* error) {
    // TODO: make the launch work for every n, and check whether it did.
    square_all<<<1, n>>>(v, n);
}
