// A warp adds up the large values, in a branch where only some lanes are. The mask names all of them.
// finds: absent-lane at 14, 15
#include <cstdio>
#include <cstdlib>

#define FULL_MASK 0xffffffff

__global__ void sum_large(const int* in, int* out)
{
    int lane = threadIdx.x;
    int value = in[lane];
    if (value >= 16) {
        for (int offset = 16; offset > 0; offset /= 2)
            value += __shfl_down_sync(FULL_MASK, value, offset);
        if (lane == 0) *out = value;
    }
}

int main()
{
    int h_in[32], h_out = 0, want = 0, *d_in, *d_out;
    for (int i = 0; i < 32; i++) {
        h_in[i] = 32 - i;
        if (h_in[i] >= 16) want += h_in[i];
    }
    h_in[31] = -4;
    if (cudaMalloc(&d_in, sizeof h_in) || cudaMalloc(&d_out, sizeof h_out)) exit(1);
    if (cudaMemcpy(d_in, h_in, sizeof h_in, cudaMemcpyHostToDevice)) exit(1);
    sum_large<<<1, 32>>>(d_in, d_out);
    if (cudaMemcpy(&h_out, d_out, sizeof h_out, cudaMemcpyDeviceToHost)) {
        printf("%s\n", cudaGetErrorString(cudaGetLastError()));
        exit(1);
    }
    printf("gpu %d, cpu %d\n", h_out, want);
    cudaFree(d_in);
    cudaFree(d_out);
}
