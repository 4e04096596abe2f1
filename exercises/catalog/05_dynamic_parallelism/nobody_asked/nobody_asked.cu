// nobody_asked: a child squares n elements, and the host learns whether the child was launched.
//
// Given    v has n ints. The host launches square_below with one thread, and chooses `threads`, the
//          threads of a block of the child: 32, 256, 1024 or 2048. *error is -1.
// Range    n is from 1 to 1100; threads is 32, 256, 1024 or 2048; v has values from -99 to 99.
// Do       Square every v[i], one thread per element, in blocks of `threads` threads. Store in *error
//          the launch's code, as cudaGetLastError() gives it: 0, or why the launch is refused. If it
//          is refused, v stays as it is. What CUDA would refuse need not be tried.
// Problem  It works if one block is enough. Otherwise nothing is squared, and there is no message.
//
// Read     lesson05-dynamic-parallelism/README.md, "Errors stay where they are made"; cargo learn explain device-launch

extern "C" __global__ void square_all(int* v, int n) {
    v[threadIdx.x] *= v[threadIdx.x];
}

extern "C" __global__ void square_below(int* v, int n, int threads, int* error) {
    // TODO: launch blocks of `threads` threads, as many as n needs, and check whether that worked.
    square_all<<<1, n>>>(v, n);
}
