// wrong: undefined-value
// `volatile` makes every read and write happen. It does not say when: a read may come before the write that it needs.
extern "C" __global__ void turn_round(int* data, int n) {
    __shared__ volatile int tile[512];
    const int i = threadIdx.x;
    tile[i] = data[i];
    data[i] = tile[n - 1 - i];
}
