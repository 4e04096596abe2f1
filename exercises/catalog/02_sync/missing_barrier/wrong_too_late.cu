// wrong: race-shared
// The barrier comes after the line that needs it.
extern "C" __global__ void turn_round(int* data, int n) {
    __shared__ int tile[512];
    const int i = threadIdx.x;
    tile[i] = data[i];
    data[i] = tile[n - 1 - i];
    __syncthreads();
}
