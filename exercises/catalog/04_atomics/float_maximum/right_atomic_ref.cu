// cuda::atomic_ref with a compare-exchange that may fail.

#include <cuda/atomic>
extern "C" __global__ void maximum(const float* v, int n, float* most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    cuda::atomic_ref<float, cuda::thread_scope_device> a(*most);
    float seen = a.load(cuda::memory_order_relaxed);
    while (seen < v[i] && !a.compare_exchange_weak(seen, v[i], cuda::memory_order_relaxed)) {}
}
