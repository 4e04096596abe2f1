// The transpose of a matrix of halves in the registers of a warp.
// prints: 0 8 16 24, 63, all right
#include <cstdio>

__global__ void transpose(const unsigned* from, unsigned* to)
{
    unsigned pair = from[threadIdx.x];
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(pair) : "r"(pair));
    to[threadIdx.x] = pair;
}

int main()
{
    unsigned short in[64], out[64];
    for (int i = 0; i < 64; i++) in[i] = i;
    unsigned *from, *to;
    cudaMalloc(&from, sizeof in);
    cudaMalloc(&to, sizeof out);
    cudaMemcpy(from, in, sizeof in, cudaMemcpyHostToDevice);
    transpose<<<1, 32>>>(from, to);
    cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost);
    bool is_right = true;
    for (int i = 0; i < 64; i++) is_right &= out[i] == i % 8 * 8 + i / 8;
    printf("%d %d %d %d, %d, %s\n", out[0], out[1], out[2], out[3], out[63], is_right ? "all right" : "wrong");
    cudaFree(from);
    cudaFree(to);
}
