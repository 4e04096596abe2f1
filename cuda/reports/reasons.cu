// reports/reasons.cu: kernels in which the first reason that comes to mind is not the right one: the report must name
// what would mend them.
//
// run: kernel=place_looked_for grid=2 block=64 keys:u32[64]=[0] values:u32[64] => finding=race-global
// run: kernel=job_not_waited_for grid=2 block=64 next:u32[1]=[0] jobs:u32=6 out:u32[384] => finding=race-shared
// run: kernel=left_by_what_it_read block=64 labels:u32[64]=[(i*37+11)%64] => finding=race-shared
// run: kernel=held_in_each_round block=64 shared=512 v:s32[64]=[i] n:s32=64 => finding=race-shared
// run: kernel=two_arrays_of_one_size block=64 shared=512 out:s32[64] => finding=race-shared
// run: kernel=flag_set_plainly grid=2 block=1 ready:u32[1]=[0] out:u32[1] => finding=race-global
// run: kernel=no_room_again block=64 in:s32[128]=[i] out:s32[128] => finding=race-shared

// Threads look for a free place. What one reads there says whether it writes there: a place, and no flag.
extern "C" __global__ void place_looked_for(unsigned* keys, unsigned* values) {
    const unsigned key = blockIdx.x * blockDim.x + threadIdx.x + 1;
    unsigned at = key / 4 % 64;
    for (unsigned tries = 0; tries < 64; tries++) {
        if (keys[at] == 0) {
            keys[at] = key;
            values[at] = threadIdx.x;
            return;
        }
        at = (at + 1) % 64;
    }
}

// A barrier between its first two lines is missing. That a thread leaves before the other barrier is no reason.
extern "C" __global__ void job_not_waited_for(unsigned* next, unsigned jobs, unsigned* out) {
    __shared__ unsigned job;
    while (true) {
        if (threadIdx.x == 0) job = atomicAdd(next, 1);
        if (job >= jobs) break;
        out[job % jobs * blockDim.x + threadIdx.x] = threadIdx.x;
        __syncthreads();
    }
}

// Thread 0 takes back the answer before all have read it. The loop ends in the line that reads it.
extern "C" __global__ void left_by_what_it_read(unsigned* labels) {
    __shared__ unsigned changed;
    const unsigned t = threadIdx.x;
    do {
        if (t == 0) changed = 0;
        __syncthreads();
        const unsigned own = labels[t], other = labels[(t + 1) % blockDim.x];
        __syncthreads();
        if (other < own) {
            labels[t] = other;
            atomicExch(&changed, 1);
        }
        __syncthreads();
    } while (changed);
}

// The index is wrong. A barrier stands in each round already.
extern "C" __global__ void held_in_each_round(int* v, int n) {
    extern __shared__ int sums[];
    const int t = threadIdx.x;
    sums[t] = v[t];
    sums[n + t] = 0;
    __syncthreads();
    int from = 0;
    for (int step = 1; step < n; step *= 2) {
        const int to = n - from;
        sums[to + t] = sums[from - from / n + t] + (t < step ? 0 : 1);
        __syncthreads();
        from = to;
    }
    v[t] = sums[from + t];
}

// The second array begins too early: a barrier would only choose what is lost.
extern "C" __global__ void two_arrays_of_one_size(int* out) {
    extern __shared__ int room[];
    const int t = threadIdx.x;
    int* squares = room;
    int* falling = room + blockDim.x / 2;
    squares[t] = t * t;
    falling[t] = blockDim.x - t;
    __syncthreads();
    out[t] = squares[t] + falling[t];
}

// One block waits by atomic looks for what the other sets plainly.
extern "C" __global__ void flag_set_plainly(unsigned* ready, unsigned* out) {
    if (blockIdx.x == 0) {
        *ready = 1;
    } else {
        while (atomicAdd(ready, 0) == 0) {}
        *out = 1;
    }
}

// One warp fills, one warp reads. The barrier of both tells that there is something, and not that there is room again.
extern "C" __global__ void no_room_again(const int* in, int* out) {
    __shared__ int room[32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int i = 0; i < 4; i++) {
            room[lane] = in[i * 32 + lane];
            asm volatile("bar.sync 1, 64;" ::: "memory");
        }
    } else {
        for (int i = 0; i < 4; i++) {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            out[i * 32 + lane] = room[31 - lane];
        }
    }
}
