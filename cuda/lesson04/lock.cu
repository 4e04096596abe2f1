// lesson04/lock.cu: the sum of a vector again, added up under a lock made of compare-and-swap.
//
// Idea      A lock keeps other threads out. To make them see what was done inside, it needs two fences: one
//           after it is taken and one before it is released. Or acquire and release.
// Broken    The lock works, but a thread may still read the old sum. Without a fence, atomics do not
//           order the plain accesses between them.
// Correct   __threadfence() on both sides of the critical section. All lanes of a warp may wait for one lock: since
//           sm_70 the lane that holds it goes on while the others wait.
// Ladder    correct: fences. acquire: the lock's own accesses acquire and release. warp: one
//           lane takes the lock for its warp. atomic: no lock, since one atomicAdd() is enough.
// Contract  n <= 2^31; blocks of 64 threads, as many as cover n; v has n ints; sum and lock are one int each, 0 at
//           first; every partial sum fits in an int.
// Expect    broken: race-global. all others: no findings, the exact sum.
// PTX       lock_broken: atom.global.cas; ld.global; st.global; atom.global.exch; never membar; never fence
// PTX       lock_correct: atom.global.cas; membar.gl; ld.global; st.global; membar.gl; atom.global.exch
// PTX       lock_acquire: atom.cas.acquire.gpu; ld.global; st.global; st.release.gpu
// PTX       lock_warp: shfl.sync.down; atom.global.cas; membar.gl; ld.global; st.global; membar.gl; atom.global.exch
// PTX       lock_atomic: atom|red.global.add; never atom.cas

#include <cuda/atomic>

#define FULL_MASK 0xffffffffu

extern "C" __global__ void lock_broken(const int* v, unsigned n, int* sum, int* lock) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    while (atomicCAS(lock, 0, 1) != 0) {}
    // BUG: no other thread is in here now, but no fence makes the last addition visible.
    *sum += v[i];
    atomicExch(lock, 0);
}

extern "C" __global__ void lock_correct(const int* v, unsigned n, int* sum, int* lock) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence(); // FIX: what the last holder did comes before what follows ...
    *sum += v[i];
    __threadfence(); // ... and this comes before the lock is free.
    atomicExch(lock, 0);
}

extern "C" __global__ void lock_acquire(const int* v, unsigned n, int* sum, int* lock) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    cuda::atomic_ref<int, cuda::thread_scope_device> shared_lock(*lock);
    int expected = 0;
    while (!shared_lock.compare_exchange_strong(expected, 1, cuda::memory_order_acquire)) expected = 0;
    *sum += v[i];
    shared_lock.store(0, cuda::memory_order_release);
}

extern "C" __global__ void lock_warp(const int* v, unsigned n, int* sum, int* lock) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    // Lanes without an element take part with 0, so the mask is full.
    int share = i < n ? v[i] : 0;
    for (int offset = 16; offset > 0; offset /= 2) share += __shfl_down_sync(FULL_MASK, share, offset);

    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {}
        __threadfence();
        *sum += share;
        __threadfence();
        atomicExch(lock, 0);
    }
}

extern "C" __global__ void lock_atomic(const int* v, unsigned n, int* sum, int* lock) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, v[i]);
}
