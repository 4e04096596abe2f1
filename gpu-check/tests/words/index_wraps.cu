// A 32-bit index wraps below the array.
// says: a read out of bounds: the index wraps in 32 bits: `table[-2001216256]`
// dice: el índice se desborda en 32 bits: una lectura en `table[-2001216256]`
#include <cstdio>
__global__ void k(const char *table, int row, int width, char *out) {
    const int at = row * width + threadIdx.x;
    out[threadIdx.x] = table[at];
}
int main() {
    char *table, *out;
    cudaMalloc(&table, 255999ll * 8960 + 8960);
    cudaMalloc(&out, 32);
    k<<<1, 32>>>(table, 255999, 8960, out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
