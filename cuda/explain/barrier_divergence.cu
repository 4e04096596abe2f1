// explain/barrier_divergence.cu: the example of docs/explain/barrier-divergence.md.
//
// run: kernel=wrong block=64 in:s32=[i] out:s32 => finding=barrier-divergence
// run: kernel=right block=64 in:s32=[i] out:s32 => out=[(63-i)*(i%2==0?3:2)]

extern "C" __global__ void wrong(const int* in, int* out) {
    __shared__ int cell[64];
    if (threadIdx.x % 2 == 0) {
        cell[threadIdx.x] = 2 * in[threadIdx.x];
        __syncthreads();
    } else {
        cell[threadIdx.x] = 3 * in[threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = cell[63 - threadIdx.x];
}

extern "C" __global__ void right(const int* in, int* out) {
    __shared__ int cell[64];
    if (threadIdx.x % 2 == 0) {
        cell[threadIdx.x] = 2 * in[threadIdx.x];
    } else {
        cell[threadIdx.x] = 3 * in[threadIdx.x];
    }
    __syncthreads();
    out[threadIdx.x] = cell[63 - threadIdx.x];
}
