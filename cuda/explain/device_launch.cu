// explain/device_launch.cu: the example of docs/explain/device-launch.md.
//
// Flags     -rdc=true
//
// run: kernel=wrong block=32 out:s32=[0] => finding=device-launch fault=illegal-address
// run: kernel=right block=32 out:s32=[0] scratch:s32=[0] => out=[2*i]
// run: kernel=unasked block=1 out:s32=[0] => finding=device-launch out=[0]
// run: kernel=asked block=1 out:s32=[0] => out=[9]

__global__ void twice(const int* in, int* out) {
    out[threadIdx.x] = 2 * in[threadIdx.x];
}

extern "C" __global__ void wrong(int* out) {
    __shared__ int row[32];
    row[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) twice<<<1, 32>>>(row, out);
}

extern "C" __global__ void right(int* out, int* scratch) {
    scratch[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) twice<<<1, 32>>>(scratch, out);
}

extern "C" __global__ void unasked(int* out) {
    twice<<<1, 2048>>>(out, out);
}

extern "C" __global__ void asked(int* out) {
    twice<<<1, 2048>>>(out, out);
    *out = cudaGetLastError();
}
