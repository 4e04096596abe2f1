// wrong: race-shared
// A warp's barrier looks like a block's. For a block of 32 threads it is enough.
extern "C" __global__ void turn_round(int* data, int n) {
    __shared__ int tile[512];
    const int i = threadIdx.x;
    tile[i] = data[i];
    __syncwarp();
    data[i] = tile[n - 1 - i];
}
