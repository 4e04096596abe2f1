// explain/undefined_value.cu: the example of docs/explain/undefined-value.md.
//
// run: kernel=wrong block=64 in:s32=[i] out:s32[1]=[-1] => finding=undefined-value
// run: kernel=right block=64 in:s32=[i] out:s32[1]=[-1] => out=[-1]

// One element of `in` is 1000, or none.
extern "C" __global__ void wrong(const int* in, int* out) {
    __shared__ int place;
    if (in[threadIdx.x] == 1000) place = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0 && place >= 0) *out = place;
}

extern "C" __global__ void right(const int* in, int* out) {
    __shared__ int place;
    if (threadIdx.x == 0) place = -1;
    __syncthreads();
    if (in[threadIdx.x] == 1000) place = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0 && place >= 0) *out = place;
}
