// Two streams made in the kernel, and an event from the first to the second.

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
    cudaStream_t first = 0, second = 0;
    cudaEvent_t found;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&found, cudaEventDisableTiming);
    largest<<<blocks, 64, 0, first>>>(v, n, most);
    cudaEventRecord(found, first);
    cudaStreamWaitEvent(second, found, 0);
    distance<<<blocks, 64, 0, second>>>(v, n, most, below);
    cudaEventDestroy(found);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}
