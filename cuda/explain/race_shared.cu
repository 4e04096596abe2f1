// explain/race_shared.cu: the example of docs/explain/race-shared.md.
//
// run: kernel=wrong block=64 out:s32 => finding=race-shared
// run: kernel=right block=64 out:s32 => out=[63-i]

extern "C" __global__ void wrong(int* out) {
    __shared__ int cell[64];
    cell[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = cell[63 - threadIdx.x];
}

extern "C" __global__ void right(int* out) {
    __shared__ int cell[64];
    cell[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = cell[63 - threadIdx.x];
}
