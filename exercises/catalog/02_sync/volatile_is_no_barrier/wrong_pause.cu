// wrong: undefined-value
// A pause that is long enough on one machine. No pause, however long, makes an order.

extern "C" __global__ void reverse(const int* in, int* out) {
    const int t = threadIdx.x;
    const int n = blockDim.x;
    __shared__ volatile int cell[256];
    __shared__ volatile int idle[256];
    cell[t] = in[t];
    idle[t] = 0;
    for (int k = 0; k < 20; k++) idle[t] = idle[t] + 1;
    out[t] = cell[n - 1 - t];
}
