// The first one in any stream, the second one in the tail stream.

extern "C" __global__ void largest(const int* v, int n, int* most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(most, v[i]);
}

extern "C" __global__ void distance(const int* v, int n, const int* most, int* below) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) below[i] = *most - v[i];
}

extern "C" __global__ void two_steps(const int* v, int n, int* most, int* below) {
    const int blocks = (n + 63) / 64;
    largest<<<blocks, 64, 0, cudaStreamFireAndForget>>>(v, n, most);
    distance<<<blocks, 64, 0, cudaStreamTailLaunch>>>(v, n, most, below);
}
