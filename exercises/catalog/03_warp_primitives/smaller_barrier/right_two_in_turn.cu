// Two rows in turn, and one barrier of the warp per round.

extern "C" __global__ void turn_rows(int* data, int rounds) {
    __shared__ int cell[128];
    const int t = threadIdx.x, lane = t % 32;
    const int mirrored = t - lane + 31 - lane;
    __shared__ int more[128];
    for (int k = 0; k < rounds; k++) {
        int* row = k % 2 == 0 ? cell : more;
        row[t] = data[128 * k + t];
        __syncwarp();
        data[128 * k + t] = row[mirrored];
    }
}
