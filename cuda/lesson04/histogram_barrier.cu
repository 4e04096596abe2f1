// lesson04/histogram_barrier.cu: the private histogram again, and its second barrier.
//
// Idea      Atomics do not order other accesses. The threads that read the private copy
//           must wait for those that still count into it.
// Broken    A warp that has finished reads h[b] while another warp still counts into it.
// Correct   A barrier between counting and reading, as between clearing and counting.
// Contract  n <= 2^31; any grid of at most 2^31 threads; blocks of more than one warp for the bug to show; bytes has
//           n elements, bins 256 that start at 0.
// Expect    broken: race-shared. correct: no findings, the exact counts.
// PTX       histogram_barrier_broken: bar.sync; atom.shared.add; not bar; not barrier; ld.shared; atom|red.global.add
// PTX       histogram_barrier_correct: bar.sync; atom.shared.add; bar.sync; ld.shared; atom|red.global.add

#define BINS 256

extern "C" __global__ void histogram_barrier_broken(const unsigned char* bytes, unsigned n, unsigned* bins) {
    __shared__ unsigned h[BINS];
    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x) h[b] = 0;
    __syncthreads();

    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&h[bytes[i]], 1);
    }
    // BUG: no barrier: this thread does not wait for the other threads' counts.

    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x) atomicAdd(&bins[b], h[b]);
}

extern "C" __global__ void histogram_barrier_correct(const unsigned char* bytes, unsigned n, unsigned* bins) {
    __shared__ unsigned h[BINS];
    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x) h[b] = 0;
    __syncthreads();

    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&h[bytes[i]], 1);
    }
    __syncthreads(); // FIX: all counts of this block happen before any of them is read.

    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x) atomicAdd(&bins[b], h[b]);
}
