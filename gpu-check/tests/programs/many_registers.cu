// A kernel that keeps many pointers at once, launched with the largest block. The assembler computes them again where it has no register
// left; the number of registers that the emulated GPU estimates refuses no launch, and occupancy says the same.
// prints: 1 block at least, 1024 threads: no error, then 1024: no error, right

#include <cstdio>

constexpr int ROWS = 26, THREADS = 1024, ROUNDS = 3, LENGTH = THREADS + ROUNDS;

__global__ void mix(const int *in, int *out, int length) {
    const int *row[ROWS];
#pragma unroll
    for (int i = 0; i < ROWS; i++) row[i] = in + (size_t)i * length + threadIdx.x;
    int sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
#pragma unroll
        for (int i = 0; i < ROWS; i++) sum += row[i][round];
        sum ^= sum << 1;
    }
    out[threadIdx.x] = sum;
}

int main() {
    int *in, *out, blocks, grid, block;
    cudaMallocManaged(&in, sizeof(int) * ROWS * LENGTH);
    cudaMallocManaged(&out, sizeof(int) * THREADS);
    for (int i = 0; i < ROWS * LENGTH; i++) in[i] = i;
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, mix);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, mix, attributes.maxThreadsPerBlock, 0);
    printf("%s block at least, ", blocks >= 1 ? "1" : "no");
    mix<<<1, attributes.maxThreadsPerBlock>>>(in, out, LENGTH);
    printf("%d threads: %s, then ", attributes.maxThreadsPerBlock, cudaGetErrorString(cudaDeviceSynchronize()));
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, mix, 0, THREADS);
    mix<<<1, block>>>(in, out, LENGTH);
    printf("%d: %s, ", block, cudaGetErrorString(cudaDeviceSynchronize()));
    bool right = attributes.numRegs * attributes.maxThreadsPerBlock <= 65536;
    for (int t = 0; t < THREADS; t++) {
        int sum = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < ROWS; i++) sum += i * LENGTH + t + round;
            sum ^= sum << 1;
        }
        right &= out[t] == sum;
    }
    printf("%s\n", right ? "right" : "wrong");
}
