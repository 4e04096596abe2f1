// wrong: race-shared
// The first barrier ordered the writes and the reads of other threads. Now nothing does.

extern "C" __global__ void turned(const int* in, int* out, int n) {
    __shared__ int tile[64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    tile[threadIdx.x] = in[i];
    out[i] = tile[63 - threadIdx.x];
}
