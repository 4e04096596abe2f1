// A variable in global memory, written before the launch. So the child sees it.

__device__ int limits[2];

extern "C" __global__ void clamp_all(int* v, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = min(max(v[i], limits[0]), limits[1]);
}

extern "C" __global__ void clamp_around_middle(int* v, int n, int* scratch) {
    limits[0] = v[n / 2] - 10;
    limits[1] = v[n / 2] + 10;
    clamp_all<<<(n + 63) / 64, 64>>>(v, n);
}
