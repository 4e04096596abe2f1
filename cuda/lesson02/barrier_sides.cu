// lesson02/barrier_sides.cu: a block smooths a curve, and its two ends take another branch than the rest.
//
// Idea      "Every thread calls __syncthreads()" is not enough: all threads of a warp must reach the
//           same call. The two calls below are two barriers.
// Broken    Thread 0 waits on one side of the branch, the other lanes of its warp on the other side. If the
//           hardware lets them all go on, that is luck: the programming model does not define it.
// Correct   One barrier before the branch.
// Returns   Threads without an element return before the barrier. That is allowed: the barrier waits only for
//           threads that have not ended.
// Contract  One block of at most 256 threads, the first n of them with an element (broken and correct: all of
//           them); in and out have n ints, n >= 1.
// Expect    broken: barrier-divergence. correct and returns: no findings; each element is the mean of itself
//           and its neighbours, rounded towards zero, the two ends unchanged.
// PTX       barrier_sides_broken: st.shared; bar.sync; ld.shared; bar.sync
// PTX       barrier_sides_correct: st.shared; bar.sync; ld.shared; not bar
// PTX       barrier_sides_returns: bra; st.shared; bar.sync; ld.shared; not bar

#define MAX_N 256

extern "C" __global__ void barrier_sides_broken(const int* in, int* out, int n) {
    __shared__ int s[MAX_N];
    const int t = threadIdx.x;

    s[t] = in[t];
    if (t == 0 || t == n - 1) {
        // BUG: only the two ends reach this barrier; all others reach the one below.
        __syncthreads();
        out[t] = s[t];
    } else {
        __syncthreads();
        out[t] = (s[t - 1] + s[t] + s[t + 1]) / 3;
    }
}

extern "C" __global__ void barrier_sides_correct(const int* in, int* out, int n) {
    __shared__ int s[MAX_N];
    const int t = threadIdx.x;

    s[t] = in[t];
    __syncthreads(); // FIX: one barrier that all threads of the block reach.
    if (t == 0 || t == n - 1) {
        out[t] = s[t];
    } else {
        out[t] = (s[t - 1] + s[t] + s[t + 1]) / 3;
    }
}

extern "C" __global__ void barrier_sides_returns(const int* in, int* out, int n) {
    __shared__ int s[MAX_N];
    const int t = threadIdx.x;
    if (t >= n) return; // No bug: a barrier does not wait for threads that have ended.

    s[t] = in[t];
    __syncthreads();
    if (t == 0 || t == n - 1) {
        out[t] = s[t];
    } else {
        out[t] = (s[t - 1] + s[t] + s[t + 1]) / 3;
    }
}
