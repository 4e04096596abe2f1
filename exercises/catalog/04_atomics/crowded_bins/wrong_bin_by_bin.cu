// wrong: budget
// One bin at a time needs no shared memory, but it reads the whole picture 16 times.

#define BINS 16

extern "C" __global__ void histogram(const unsigned char* v, int n, unsigned* bins) {
    const int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= BINS) return;
    unsigned sum = 0;
    for (int i = 0; i < n; i++) sum += v[i] / 16 == b;
    atomicAdd(&bins[b], sum);
}
