// wrong: race-shared
// A warp's barrier looks like a block's, and a block of 32 threads is content with it.
extern "C" __global__ void turn_round(int* data, int n) {
    __shared__ int tile[512];
    const int i = threadIdx.x;
    tile[i] = data[i];
    __syncwarp();
    data[i] = tile[n - 1 - i];
}
