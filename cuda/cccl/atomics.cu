// Arch: sm_80
// cccl/atomics.cu: libcu++'s atomic references, fences, semaphores and latches.
//
// run: kernel=count block=64 grid=4 out:u32[1]=[0] => out=[256]
// run: kernel=count_block block=64 out:u32[1]=[0] => out=[64]
// run: kernel=floats block=64 grid=2 out:f32[1]=[0] => out=[128]
// run: kernel=doubles block=64 grid=2 out:f64[1]=[0] => out=[128]
// run: kernel=most block=64 grid=2 out:s32[1]=[-5] => out=[127]
// run: kernel=bytes block=4 out:u8[8]=[0] => out=[i<4 ? 4 : 0]
// run: kernel=shorts block=32 out:u16[2]=[0] => out=[i==0 ? 32 : 0]
// run: kernel=message block=32 grid=2 data:s32[1]=[0] flag:u32[1]=[0] out:s32[1]=[0] => out=[42]
// run: kernel=message_relaxed block=32 grid=2 data:s32[1]=[0] flag:u32[1]=[0] out:s32[1]=[0] => finding=race-global
// run: kernel=message_fenced block=32 grid=2 data:s32[1]=[0] flag:u32[1]=[0] out:s32[1]=[0] => out=[42]
// run: kernel=message_block_scope block=32 grid=2 data:s32[1]=[0] flag:u32[1]=[0] out:s32[1]=[0] => finding=race-scope
// run: kernel=wait_notify block=32 grid=2 data:s32[1]=[0] flag:u32[1]=[0] out:s32[1]=[0] => out=[42]
// run: kernel=semaphore block=1 grid=8 room:u64[2]=[0] out:s32[1]=[0] => out=[8]
// run: kernel=latch block=64 in:s32=[i] out:s32 => out=[63-i]
// run: kernel=exchange_chain block=32 grid=2 out:u64[1]=[7] sum:u64[1]=[0] => out=[0] sum=[7]
// run: kernel=cas_weak block=32 grid=2 out:u64[1]=[1] => out=[64+1]
// run: kernel=system_wide block=2 out:u64[1]=[0] => out=[2]
#include <cuda/atomic>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/atomic>
template <class T, cuda::thread_scope Scope = cuda::thread_scope_device>
using Ref = cuda::atomic_ref<T, Scope>;

extern "C" __global__ void count(unsigned* out) { Ref<unsigned>(*out).fetch_add(1, cuda::memory_order_relaxed); }
extern "C" __global__ void count_block(unsigned* out) { Ref<unsigned, cuda::thread_scope_block>(*out)++; }
extern "C" __global__ void floats(float* out) { Ref<float>(*out).fetch_add(1.0f); }
extern "C" __global__ void doubles(double* out) { Ref<double>(*out) += 1.0; }
extern "C" __global__ void most(int* out) { Ref<int>(*out).fetch_max(blockIdx.x * 64 + threadIdx.x); }
extern "C" __global__ void bytes(unsigned char* out) {
    for (int k = 0; k < 4; ++k) Ref<unsigned char>(out[k]).fetch_add(1);
}
extern "C" __global__ void shorts(unsigned short* out) { Ref<unsigned short>(out[0]).fetch_add(1, cuda::memory_order_acq_rel); }

template <cuda::thread_scope Scope>
__device__ void message(int* data, unsigned* flag, int* out, cuda::memory_order store, cuda::memory_order load) {
    cuda::atomic_ref<unsigned, Scope> ready(*flag);
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42;
        ready.store(1, store);
    } else {
        while (!ready.load(load)) {}
        *out = *data;
    }
}
extern "C" __global__ void message(int* data, unsigned* flag, int* out) {
    message<cuda::thread_scope_device>(data, flag, out, cuda::memory_order_release, cuda::memory_order_acquire);
}
extern "C" __global__ void message_relaxed(int* data, unsigned* flag, int* out) {
    message<cuda::thread_scope_device>(data, flag, out, cuda::memory_order_relaxed, cuda::memory_order_acquire);
}
extern "C" __global__ void message_block_scope(int* data, unsigned* flag, int* out) {
    message<cuda::thread_scope_block>(data, flag, out, cuda::memory_order_release, cuda::memory_order_acquire);
}
extern "C" __global__ void message_fenced(int* data, unsigned* flag, int* out) {
    Ref<unsigned> ready(*flag);
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42;
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
        ready.store(1, cuda::memory_order_relaxed);
    } else {
        while (!ready.load(cuda::memory_order_relaxed)) {}
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        *out = *data;
    }
}
extern "C" __global__ void wait_notify(int* data, unsigned* flag, int* out) {
    Ref<unsigned> ready(*flag);
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42;
        ready.store(1, cuda::memory_order_release);
        ready.notify_all();
    } else {
        ready.wait(0, cuda::memory_order_acquire);
        *out = *data;
    }
}
// The first block to come makes the semaphore, the others wait for it.
__device__ unsigned arrivals, made;
extern "C" __global__ void semaphore(unsigned long long* room, int* out) {
    using Semaphore = cuda::binary_semaphore<cuda::thread_scope_device>;
    Semaphore* one = reinterpret_cast<Semaphore*>(room);
    Ref<unsigned> ready(made);
    if (Ref<unsigned>(arrivals).fetch_add(1) == 0) {
        new (one) Semaphore(1);
        ready.store(1, cuda::memory_order_release);
    }
    while (!ready.load(cuda::memory_order_acquire)) {}
    one->acquire();
    out[0] = out[0] + 1;
    one->release();
}
extern "C" __global__ void latch(const int* in, int* out) {
    using Latch = cuda::latch<cuda::thread_scope_block>;
    __shared__ alignas(8) char room[sizeof(Latch)];
    __shared__ int tile[64];
    Latch* all = reinterpret_cast<Latch*>(room);
    if (threadIdx.x == 0) new (all) Latch(64);
    __syncthreads();
    tile[threadIdx.x] = in[threadIdx.x];
    all->arrive_and_wait();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}
extern "C" __global__ void exchange_chain(unsigned long long* out, unsigned long long* sum) {
    unsigned long long old = Ref<unsigned long long>(*out).exchange(0);
    Ref<unsigned long long>(*sum).fetch_add(old);
}
extern "C" __global__ void cas_weak(unsigned long long* out) {
    Ref<unsigned long long> r(*out);
    unsigned long long old = r.load();
    while (!r.compare_exchange_weak(old, old + 1, cuda::memory_order_acq_rel, cuda::memory_order_relaxed));
}
extern "C" __global__ void system_wide(unsigned long long* out) { cuda::std::atomic_ref<unsigned long long>(*out).fetch_add(1); }
