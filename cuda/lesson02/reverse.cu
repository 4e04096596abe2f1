// lesson02/reverse.cu: one block reverses 64 elements through shared memory.
//
// Idea      A later line is not a later time. Only a barrier orders two threads.
// Broken    Thread 0 may read s[63] before thread 63, in the other warp, has written it.
// Correct   One __syncthreads() between the write and the read.
// Contract  One block of n threads, n <= 64; d has n ints and is reversed in place.
// Expect    broken: race-shared. correct: no findings, d reversed.
// PTX       reverse_broken: st.shared; not bar; not barrier; ld.shared
// PTX       reverse_correct: st.shared; bar.sync; ld.shared

#define MAX_N 64

extern "C" __global__ void reverse_broken(int* d, int n) {
    __shared__ int s[MAX_N];
    const int t = threadIdx.x;

    s[t] = d[t];
    // BUG: no barrier between this write and another thread's read below.
    d[t] = s[n - t - 1];
}

extern "C" __global__ void reverse_correct(int* d, int n) {
    __shared__ int s[MAX_N];
    const int t = threadIdx.x;

    s[t] = d[t];
    __syncthreads(); // FIX: every write above happens before any read below.
    d[t] = s[n - t - 1];
}
