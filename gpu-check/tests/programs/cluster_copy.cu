// Two blocks of a cluster copy their arrays to each other.
// prints: cudaSuccess 163 63
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(2) exchange(int* out) {
    alignas(16) __shared__ int own[64];
    alignas(16) __shared__ int theirs[64];
    __shared__ uint64_t bar;
    const auto cluster = cg::this_cluster();
    const unsigned t = threadIdx.x, other = cluster.block_rank() ^ 1;
    own[t] = 100 * cluster.block_rank() + t;
    if (t == 0) ptx::mbarrier_init(&bar, 1);
    ptx::fence_proxy_async();
    cluster.sync();
    if (t == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, sizeof(own));
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, cluster.map_shared_rank(theirs, other), own,
                           sizeof(own), cluster.map_shared_rank(&bar, other));
    }
    while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {}
    out[blockIdx.x * 64 + t] = theirs[63 - t];
    while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {}
    cluster.sync();
}

int main() {
    int* out;
    cudaMallocManaged(&out, 128 * sizeof(int));
    exchange<<<2, 64>>>(out);
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s %d %d\n", cudaGetErrorName(error), out[0], out[64]);
    return 0;
}
