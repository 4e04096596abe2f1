// nvcc -arch=sm_75 -rdc=true
// A kernel that launches a kernel.
__global__ void child(int* out, int depth);

__global__ void parent(int* out, int depth) {
    if (depth > 0) child<<<2, 32, 64>>>(out, depth - 1);
}

__global__ void child(int* out, int depth) {
    atomicAdd(out, 1);
    parent<<<1, 1, 0, cudaStreamTailLaunch>>>(out, depth);
}
