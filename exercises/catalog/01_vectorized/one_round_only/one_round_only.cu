// one_round_only: fewer threads than elements
//
// out[i] becomes -in[i] for every i below n. The launch always has 4 blocks of 64 threads, 256
// threads in all, whatever n is: real kernels often run on as many threads as the GPU has places
// for, and each of these does several elements.
//
// As it stands each thread does one element, and those from 256 on are left undone.
//
// Do       Let every thread go on until the vector is done. Use gridDim.x and blockDim.x: the kernel
//          must be right for any grid.
// Read on  lesson01-vectorized/README.md; cargo learn explain undefined-value

extern "C" __global__ void negate(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO: this is the thread's first element; the next ones are missing
    if (i < n) out[i] = -in[i];
}
