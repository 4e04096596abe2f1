// The same at a lower level: the lanes with the same label, and a reduction over that mask.

extern "C" __global__ void add_up(const unsigned char* shop, const int* amount, int n, int* turnover) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int label = i < n ? shop[i] : -1;
    const unsigned equals = __match_any_sync(0xffffffffu, label);
    if (label < 0) return;
    const int sum = __reduce_add_sync(equals, amount[i]);
    if (__ffs(equals) - 1 == threadIdx.x % 32) atomicAdd(turnover + label, sum);
}
