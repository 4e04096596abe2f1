// lesson03/lockstep_sum.cu: a warp adds up 32 values in shared memory, as code did when warps ran in lockstep.
//
// Idea      "A warp is SIMD, so it is synchronised" was a habit, never a promise. A fence keeps one thread's
//           own accesses in order; it does not make the thread wait for another one.
// Broken    Fences between the rounds, so that the compiler keeps every load and store, but no barrier.
//           Lane 0 may load s[16] before lane 16 has stored it, or after lane 16 has added to it.
// Correct   Load, __syncwarp(), store, __syncwarp(): two per round. A lane must not read too early, and must
//           not overwrite what another lane has yet to read.
// Ladder    shuffle: the values stay in registers, and the shuffle itself makes the lanes wait.
// Contract  One warp per block; in has 32 ints per block, sums one. Sums fit in an int.
// Expect    broken: race-shared. all others: no findings, the exact sums.
// PTX       lockstep_sum_broken: st.shared; membar|fence; ld.shared; st.shared; never bar
// PTX       lockstep_sum_correct: st.shared; bar.warp.sync; ld.shared; bar.warp.sync; st.shared; bar.warp.sync
// PTX       lockstep_sum_shuffle: shfl.sync.down; st.global; never st.shared

#define FULL_MASK 0xffffffffu

extern "C" __global__ void lockstep_sum_broken(const int* in, int* sums) {
    __shared__ int s[48]; // 16 zeros after the values, so that no lane needs a branch.
    const unsigned t = threadIdx.x;

    s[t] = in[32 * blockIdx.x + t];
    if (t < 16) s[32 + t] = 0;
    __threadfence_block();
    for (unsigned offset = 16; offset > 0; offset /= 2) {
        // BUG: no barrier between this read of s[t + offset] and another lane's write of it.
        s[t] += s[t + offset];
        __threadfence_block();
    }
    if (t == 0) sums[blockIdx.x] = s[0];
}

extern "C" __global__ void lockstep_sum_correct(const int* in, int* sums) {
    __shared__ int s[48];
    const unsigned t = threadIdx.x;

    s[t] = in[32 * blockIdx.x + t];
    if (t < 16) s[32 + t] = 0;
    __syncwarp();
    for (unsigned offset = 16; offset > 0; offset /= 2) {
        const int sum = s[t] + s[t + offset];
        __syncwarp(); // FIX: all lanes have loaded.
        s[t] = sum;
        __syncwarp(); // FIX: all lanes have stored.
    }
    if (t == 0) sums[blockIdx.x] = s[0];
}

extern "C" __global__ void lockstep_sum_shuffle(const int* in, int* sums) {
    int sum = in[32 * blockIdx.x + threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(FULL_MASK, sum, offset);
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
