// wrong: answer
// The last element of a row is never asked: it is seldom the one that decides.

extern "C" __global__ void add_bonus(int* row) { row[threadIdx.x] += 5; }
extern "C" __global__ void reward(int* points, int rows) {
    int* row = points + blockIdx.x * 64;
    const bool full = __syncthreads_or(threadIdx.x < 63 && row[threadIdx.x] == 20);
    if (full && threadIdx.x == 0) add_bonus<<<1, 64>>>(row);
}
