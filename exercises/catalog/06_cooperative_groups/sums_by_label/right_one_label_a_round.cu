// One label a round: a ballot finds its lanes, five shuffles add them up, and one atomic takes the sum.

extern "C" __global__ void add_up(const unsigned char* shop, const int* amount, int n, int* turnover) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    const int label = i < n ? shop[i] : -1, money = i < n ? amount[i] : 0;
    unsigned left = __ballot_sync(~0u, label >= 0);
    while (left) {
        const int l = __shfl_sync(~0u, label, __ffs(left) - 1);
        const unsigned own = __ballot_sync(~0u, label == l);
        int s = label == l ? money : 0;
        for (int d = 16; d; d /= 2) s += __shfl_down_sync(~0u, s, d);
        if (lane == 0) atomicAdd(&turnover[l], s);
        left &= ~own;
    }
}
