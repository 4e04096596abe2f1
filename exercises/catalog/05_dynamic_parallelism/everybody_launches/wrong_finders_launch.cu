// wrong: answer
// Each thread with a 20 launches. That is right only for rows with exactly one 20.

extern "C" __global__ void add_bonus(int* row) {
    row[threadIdx.x] += 5;
}

extern "C" __global__ void reward(int* points, int rows) {
    int* row = points + blockIdx.x * 64;
    if (row[threadIdx.x] == 20) add_bonus<<<1, 64>>>(row);
}
