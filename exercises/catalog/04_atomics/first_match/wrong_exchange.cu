// wrong: answer
// An atomic store: the last index in time stays, whether it is the smallest or not.

extern "C" __global__ void find(const int* v, int n, int key, int* first) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || v[i] != key) return;

    atomicExch(first, i);
}
