// lesson02/flag.cu: one block writes a message to global memory and sets a flag; another waits for the flag.
//
// Idea      Seeing the flag proves only that the flag was set. The message is written before that, and read
//           after it, only if both sides say so: with a fence, or with release and acquire.
// Broken    `volatile` makes the compiler load and store the flag every time. It orders nothing: the message
//           may arrive after its flag.
// Correct   A fence before the flag is set, and one after it is seen; the flag is atomic.
// Ladder    correct: __threadfence() and atomics. acquire: the flag's own accesses give the same order.
//           The store releases, the load acquires.
// Remark    flag_plain_remark is compiled and never run. Its flag is a plain int. nvcc loads it once, before
//           the loop, and the loop becomes endless: the PTX has a branch to itself.
// Contract  Two blocks of 64 threads; in, message and out have n ints; flag and arrivals are one int each, 0 at
//           first; out gets the squares of in, through message. Values up to 46340.
// Expect    broken: race-global. all others: no findings, the squares.
// PTX       flag_broken: ld.volatile.global; bar.sync; ld.global; never membar; never fence
// PTX       flag_broken: st.global; bar.sync; st.volatile.global
// PTX       flag_correct: atom.global.or; membar.gl; bar.sync; ld.global
// PTX       flag_correct: bar.sync; membar.gl; atom.global.exch
// PTX       flag_acquire: ld.acquire.gpu; bar.sync; ld.global
// PTX       flag_acquire: bar.sync; st.release.gpu
// PTX       flag_plain_remark: bra.uni; not ld.global; not st.global; bra.uni

#include <cuda/atomic>

#include "flag.cuh"

extern "C" __global__ void flag_broken(
    const int* in, int* message, volatile int* flag, unsigned* arrivals, int* out, int n) {
    if (is_writer(arrivals)) {
        for (int i = threadIdx.x; i < n; i += blockDim.x) message[i] = square(in[i]);
        __syncthreads();
        if (threadIdx.x == 0) *flag = 1;
    } else {
        if (threadIdx.x == 0) {
            while (*flag == 0) {}
        }
        __syncthreads();
        // BUG: no fence orders the message before the flag, and no fence orders the flag before this loop.
        for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = message[i];
    }
}

extern "C" __global__ void flag_correct(
    const int* in, int* message, int* flag, unsigned* arrivals, int* out, int n) {
    if (is_writer(arrivals)) {
        for (int i = threadIdx.x; i < n; i += blockDim.x) message[i] = square(in[i]);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence(); // FIX: all that this block wrote comes before the flag ...
            atomicExch(flag, 1);
        }
    } else {
        if (threadIdx.x == 0) {
            while (atomicOr(flag, 0) == 0) {}
            __threadfence(); // ... and all that this block reads comes after it.
        }
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = message[i];
    }
}

extern "C" __global__ void flag_acquire(
    const int* in, int* message, int* flag, unsigned* arrivals, int* out, int n) {
    cuda::atomic_ref<int, cuda::thread_scope_device> shared_flag(*flag);
    if (is_writer(arrivals)) {
        for (int i = threadIdx.x; i < n; i += blockDim.x) message[i] = square(in[i]);
        __syncthreads();
        if (threadIdx.x == 0) shared_flag.store(1, cuda::memory_order_release);
    } else {
        if (threadIdx.x == 0) {
            while (shared_flag.load(cuda::memory_order_acquire) == 0) {}
        }
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = message[i];
    }
}

extern "C" __global__ void flag_plain_remark(
    const int* in, int* message, int* flag, unsigned* arrivals, int* out, int n) {
    if (is_writer(arrivals)) {
        for (int i = threadIdx.x; i < n; i += blockDim.x) message[i] = square(in[i]);
        __syncthreads();
        if (threadIdx.x == 0) *flag = 1;
    } else {
        if (threadIdx.x == 0) {
            while (*flag == 0) {}
        }
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = message[i];
    }
}
