// lesson04/lock_syncwarp.cu: a lock, and a warp barrier inside the critical section.
//
// Idea      A thread that holds a lock must not wait for threads that wait for the lock.
// Broken    The lane with the lock waits at __syncwarp() for the other lanes of its warp. They loop until it
//           releases the lock. They run, but none makes progress: this is a livelock.
// Correct   __syncwarp() after the lock is released.
// Contract  n <= 2^31; blocks of 64 threads, as many as cover n; v has n ints; sum and lock are one int each, 0 at
//           first; every partial sum fits in an int. A single element has no other lane to wait for.
// Expect    broken: livelock. correct: no findings, the exact sum.
// PTX       lock_syncwarp_broken: atom.global.cas; bar.warp.sync; atom.global.exch
// PTX       lock_syncwarp_correct: atom.global.cas; not bar.warp; atom.global.exch; bar.warp.sync

extern "C" __global__ void lock_syncwarp_broken(const int* v, unsigned n, int* sum, int* lock) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *sum += v[i];
    // BUG: the other lanes are not here; they wait for the lock that this lane holds.
    __syncwarp();
    __threadfence();
    atomicExch(lock, 0);
}

extern "C" __global__ void lock_syncwarp_correct(const int* v, unsigned n, int* sum, int* lock) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *sum += v[i];
    __threadfence();
    atomicExch(lock, 0);
    __syncwarp(); // FIX: the lock is free, so every lane gets here in turn.
}
