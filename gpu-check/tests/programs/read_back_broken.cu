// New memory is copied to the host, and nothing of it was written: the copy to another place does not mend that.
// finds: undefined-value at

#include <cstdio>

__global__ void add(int *value) { *value += 4; }

int main() {
    int *value, *other, host;
    cudaMalloc(&value, sizeof host);
    cudaMalloc(&other, sizeof host);
    cudaMemcpy(&host, value, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(other, &host, sizeof host, cudaMemcpyHostToDevice);
    add<<<1, 1>>>(other);
    cudaDeviceSynchronize();
    printf("added\n");
}
