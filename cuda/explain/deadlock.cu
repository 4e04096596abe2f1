// explain/deadlock.cu: the example of docs/explain/deadlock.md.
//
// run: kernel=wrong block=64 out:s32 => finding=deadlock fault=timeout
// run: kernel=right block=64 out:s32 => out=[i]

extern "C" __global__ void wrong(int* out) {
    if (threadIdx.x < 16) {
        __syncwarp();
    } else {
        __syncthreads();
    }
    out[threadIdx.x] = threadIdx.x;
}

extern "C" __global__ void right(int* out) {
    if (threadIdx.x < 16) {
        __syncwarp(0x0000ffff);
    }
    __syncthreads();
    out[threadIdx.x] = threadIdx.x;
}
