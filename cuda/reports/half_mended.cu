// reports/half_mended.cu: the lessons' flag and lock with one of their two fences, or one of them too narrow, as a
// student leaves them on the way: the report must say what is still missing, and where.
//
// run: kernel=flag_without_fence_of_writer grid=2 block=64 in:s32[64]=[i] message:s32[64]=[0] flag:s32[1]=[0]
//      arrivals:u32[1]=[0] out:s32[64]=[0] n:s32=64 => finding=race-global
// run: kernel=flag_without_fence_of_reader grid=2 block=64 in:s32[64]=[i] message:s32[64]=[0] flag:s32[1]=[0]
//      arrivals:u32[1]=[0] out:s32[64]=[0] n:s32=64 => finding=race-global
// run: kernel=flag_narrow_at_writer grid=2 block=64 in:s32[64]=[i] message:s32[64]=[0] flag:s32[1]=[0]
//      arrivals:u32[1]=[0] out:s32[64]=[0] n:s32=64 => finding=race-scope
// run: kernel=flag_narrow_at_reader grid=2 block=64 in:s32[64]=[i] message:s32[64]=[0] flag:s32[1]=[0]
//      arrivals:u32[1]=[0] out:s32[64]=[0] n:s32=64 => finding=race-scope
// run: kernel=lock_without_fence_after grid=2 block=64 v:s32[128]=[i] n:u32=128 sum:s32[1]=[0] lock:s32[1]=[0]
//      => finding=race-global
// run: kernel=lock_without_fence_before grid=2 block=64 v:s32[128]=[i] n:u32=128 sum:s32[1]=[0] lock:s32[1]=[0]
//      => finding=race-global

#include "../lesson02/flag.cuh"

extern "C" __global__ void flag_without_fence_of_writer(
    const int* in, int* message, int* flag, unsigned* arrivals, int* out, int n) {
    if (is_writer(arrivals)) {
        for (int i = threadIdx.x; i < n; i += blockDim.x) message[i] = square(in[i]); // data
        __syncthreads();
        if (threadIdx.x == 0) atomicExch(flag, 1); // set
    } else {
        if (threadIdx.x == 0) {
            while (atomicOr(flag, 0) == 0) {}
            __threadfence();
        }
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = message[i];
    }
}

extern "C" __global__ void flag_without_fence_of_reader(
    const int* in, int* message, int* flag, unsigned* arrivals, int* out, int n) {
    if (is_writer(arrivals)) {
        for (int i = threadIdx.x; i < n; i += blockDim.x) message[i] = square(in[i]);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicExch(flag, 1);
        }
    } else {
        if (threadIdx.x == 0) {
            while (atomicOr(flag, 0) == 0) {} // look
        }
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = message[i];
    }
}

extern "C" __global__ void flag_narrow_at_writer(
    const int* in, int* message, int* flag, unsigned* arrivals, int* out, int n) {
    if (is_writer(arrivals)) {
        for (int i = threadIdx.x; i < n; i += blockDim.x) message[i] = square(in[i]);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence_block(); // narrow
            atomicExch(flag, 1);
        }
    } else {
        if (threadIdx.x == 0) {
            while (atomicOr(flag, 0) == 0) {}
            __threadfence();
        }
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = message[i];
    }
}

extern "C" __global__ void flag_narrow_at_reader(
    const int* in, int* message, int* flag, unsigned* arrivals, int* out, int n) {
    if (is_writer(arrivals)) {
        for (int i = threadIdx.x; i < n; i += blockDim.x) message[i] = square(in[i]);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicExch(flag, 1);
        }
    } else {
        if (threadIdx.x == 0) {
            while (atomicOr(flag, 0) == 0) {}
            __threadfence_block(); // narrow
        }
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = message[i];
    }
}

extern "C" __global__ void lock_without_fence_after(const int* v, unsigned n, int* sum, int* lock) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *sum += v[i];        // data
    atomicExch(lock, 0); // set
}

extern "C" __global__ void lock_without_fence_before(const int* v, unsigned n, int* sum, int* lock) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    while (atomicCAS(lock, 0, 1) != 0) {} // look
    *sum += v[i];
    __threadfence();
    atomicExch(lock, 0);
}
