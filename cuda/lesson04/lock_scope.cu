// lesson04/lock_scope.cu: the lock again, and the scope of its fences.
//
// Idea      A lock that several blocks take needs fences of device scope.
// Broken    __threadfence_block() orders the critical sections of one block, not those of two.
// Correct   __threadfence(), on both sides.
// Contract  n <= 2^31; blocks of 64 threads, as many as cover n; v has n ints; sum and lock are one int each, 0 at
//           first; every partial sum fits in an int. Up to 64 elements there is one block, and no bug.
// Expect    broken: race-scope. correct: no findings, the exact sum.
// PTX       lock_scope_broken: atom.global.cas; membar.cta; ld.global; st.global; membar.cta; atom.global.exch
// PTX       lock_scope_correct: atom.global.cas; membar.gl; ld.global; st.global; membar.gl; atom.global.exch

extern "C" __global__ void lock_scope_broken(const int* v, unsigned n, int* sum, int* lock) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence_block();
    // BUG: ordered after the additions of this block only.
    *sum += v[i];
    __threadfence_block();
    atomicExch(lock, 0);
}

extern "C" __global__ void lock_scope_correct(const int* v, unsigned n, int* sum, int* lock) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence(); // FIX: device scope.
    *sum += v[i];
    __threadfence();
    atomicExch(lock, 0);
}
