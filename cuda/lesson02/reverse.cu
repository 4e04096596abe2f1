// lesson02/reverse.cu: one block turns 64 elements round through shared memory.
//
// Idea      "On a later line" is not "later". Only a barrier orders two threads.
// Broken    Thread 0 may load s[63] before thread 63, of the other warp, has stored it.
// Correct   One __syncthreads() between the store and the load.
// Contract  One block of n threads, n <= 64; d has n ints and is turned round in place.
// Expect    broken: race-shared. correct: no findings, d reversed.
// PTX       reverse_broken: st.shared; not bar; not barrier; ld.shared
// PTX       reverse_correct: st.shared; bar.sync; ld.shared

#define MAX_N 64

extern "C" __global__ void reverse_broken(int* d, int n) {
    __shared__ int s[MAX_N];
    const int t = threadIdx.x;

    s[t] = d[t];
    // BUG: nothing orders this store before another thread's load below.
    d[t] = s[n - t - 1];
}

extern "C" __global__ void reverse_correct(int* d, int n) {
    __shared__ int s[MAX_N];
    const int t = threadIdx.x;

    s[t] = d[t];
    __syncthreads(); // FIX: every store above happens before any load below.
    d[t] = s[n - t - 1];
}
