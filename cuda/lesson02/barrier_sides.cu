// lesson02/barrier_sides.cu: a block smooths a curve, and its ends take another branch than the rest.
//
// Idea      "Every thread calls __syncthreads()" is not enough: all threads of a warp must come to
//           the same one. The two calls below are two barriers.
// Broken    Thread 0 waits in one side of the branch, its warp's other lanes in the other. That
//           they pair off is luck with the hardware; the model gives it no meaning.
// Correct   One barrier before the branch.
// Returns   Threads without an element leave before the barrier, which then waits for the others only. That
//           is allowed, since they never come back.
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
        // BUG: this barrier is for the ends, and the one below for all others.
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
    if (t >= n) return; // Not the bug it looks like: a barrier does not wait for threads that have ended.

    s[t] = in[t];
    __syncthreads();
    if (t == 0 || t == n - 1) {
        out[t] = s[t];
    } else {
        out[t] = (s[t - 1] + s[t] + s[t + 1]) / 3;
    }
}
