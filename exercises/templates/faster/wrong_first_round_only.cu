// wrong: undefined-value
// A quarter of the requests, but only a quarter of the work.

extern "C" __global__ void doubled(const int* in, int* out, int n) {
    const int mine = blockIdx.x * 512 + threadIdx.x;
    out[mine] = 2 * in[mine];
}
