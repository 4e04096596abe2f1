// wrong: undefined-value
// `volatile` makes every load and store happen. It says nothing about when: a load may find what nobody has stored yet.
extern "C" __global__ void turn_round(int* data, int n) {
    __shared__ volatile int tile[512];
    const int i = threadIdx.x;
    tile[i] = data[i];
    data[i] = tile[n - 1 - i];
}
