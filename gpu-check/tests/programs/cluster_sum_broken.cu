// A block reads what other blocks of its cluster count, and only each block waits for its own threads.
// finds: race-shared at 14, 17
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4) sums(const int* in, int* out) {
    __shared__ int sum;
    const auto cluster = cg::this_cluster();
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    cluster.sync();
    atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
    if (cluster.thread_rank() == 0) {
        int total = 0;
        for (unsigned rank = 0; rank < cluster.num_blocks(); rank++) total += *cluster.map_shared_rank(&sum, rank);
        out[blockIdx.x / cluster.num_blocks()] = total;
    }
    cluster.sync();
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 512 * sizeof(int));
    cudaMallocManaged(&out, 2 * sizeof(int));
    for (int i = 0; i < 512; i++) in[i] = i;
    sums<<<8, 64>>>(in, out);
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s %d %d\n", cudaGetErrorName(error), out[0], out[1]);
    return 0;
}
