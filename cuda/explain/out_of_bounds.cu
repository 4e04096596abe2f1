// explain/out_of_bounds.cu: the example of docs/explain/out-of-bounds.md.
//
// run: kernel=wrong block=128 data:s32[100]=[0] n:s32=100 => fault=illegal-address finding=out-of-bounds
// run: kernel=right block=128 data:s32[100]=[0] n:s32=100 => data=[i]

extern "C" __global__ void wrong(int* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) data[i] = i;
}

extern "C" __global__ void right(int* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i;
}
