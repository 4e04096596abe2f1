// In the tail stream the child begins when the whole parent is complete.

extern "C" __global__ void turn(const int* from, int* to) {
    to[threadIdx.x] = from[63 - threadIdx.x];
}

extern "C" __global__ void prepare(const int* v, int* doubled, int* turned) {
    const int first = blockIdx.x * 64;
    doubled[first + threadIdx.x] = 2 * v[first + threadIdx.x];
    if (threadIdx.x == 0) turn<<<1, 64, 0, cudaStreamTailLaunch>>>(doubled + first, turned + first);
}
