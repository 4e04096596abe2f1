// wrong: answer
// The largest element of the first 64 is nearly always the largest of all.

extern "C" __global__ void largest(const int* v, int n, int* most) {
    const int i = threadIdx.x;
    if (i < n && blockIdx.x == 0) atomicMax(most, v[i]);
}
extern "C" __global__ void distance(const int* v, int n, const int* most, int* below) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) below[i] = *most - v[i];
}
extern "C" __global__ void two_steps(const int* v, int n, int* most, int* below) {
    const int blocks = (n + 63) / 64;
    largest<<<blocks, 64>>>(v, n, most);
    distance<<<blocks, 64>>>(v, n, most, below);
}
