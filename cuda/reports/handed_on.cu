// reports/handed_on.cu: values that atomic operations alone hand from block to block, with fences and without. Nothing here
// is a race. Without fences an atomic read may find an older value all the same, and the answer is wrong.
//
// run: kernel=flag_with_fences grid=2 data:s32[1]=[0] flag:s32[1]=[0] out:s32[1]=[0] => out=[42]
// run: kernel=flag_without_fences grid=2 data:s32[1]=[0] flag:s32[1]=[0] out:s32[1]=[0] => out=[42]
// run: kernel=flag_without_fence_of_writer grid=2 data:s32[1]=[0] flag:s32[1]=[0] out:s32[1]=[0] => out=[42]
// run: kernel=last_block_with_fences grid=4 sum:s32[1]=[0] done:u32[1]=[0] out:s32[1]=[0] => out=[10]
// run: kernel=last_block_without_fences grid=4 sum:s32[1]=[0] done:u32[1]=[0] out:s32[1]=[0] => out=[10]
// run: kernel=lock_with_fences grid=4 lock:s32[1]=[0] sum:s32[1]=[0] => sum=[10]
// run: kernel=lock_without_fences grid=4 lock:s32[1]=[0] sum:s32[1]=[0] => sum=[10]

template <bool FENCES>
__device__ void fence() {
    if (FENCES) __threadfence();
}

template <bool FENCES>
__device__ void flag(int* data, int* flag, int* out) {
    if (blockIdx.x == 0) {
        atomicExch(data, 42);
        fence<FENCES>();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {}
        fence<FENCES>();
        *out = atomicAdd(data, 0);
    }
}

extern "C" __global__ void flag_with_fences(int* data, int* at, int* out) { flag<true>(data, at, out); }
extern "C" __global__ void flag_without_fences(int* data, int* at, int* out) { flag<false>(data, at, out); }

// The data by a volatile store: without fences again, on the writer's side alone.
extern "C" __global__ void flag_without_fence_of_writer(volatile int* data, int* flag, int* out) {
    if (blockIdx.x == 0) {
        *data = 42;
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {}
        __threadfence();
        *out = atomicAdd((int*)data, 0);
    }
}

template <bool FENCES>
__device__ void last_block(int* sum, unsigned* done, int* out) {
    atomicAdd(sum, (int)blockIdx.x + 1);
    fence<FENCES>();
    if (atomicAdd(done, 1) == gridDim.x - 1) {
        fence<FENCES>();
        *out = atomicAdd(sum, 0);
    }
}

extern "C" __global__ void last_block_with_fences(int* sum, unsigned* done, int* out) { last_block<true>(sum, done, out); }
extern "C" __global__ void last_block_without_fences(int* sum, unsigned* done, int* out) {
    last_block<false>(sum, done, out);
}

template <bool FENCES>
__device__ void lock(int* lock, int* sum) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    fence<FENCES>();
    const int before = atomicOr(sum, 0);
    atomicExch(sum, before + blockIdx.x + 1);
    fence<FENCES>();
    atomicExch(lock, 0);
}

extern "C" __global__ void lock_with_fences(int* at, int* sum) { lock<true>(at, sum); }
extern "C" __global__ void lock_without_fences(int* at, int* sum) { lock<false>(at, sum); }
