// lesson04/histogram.cu: how often each byte value occurs.
//
// Idea      A private copy of the histogram per block, in shared memory: fewer threads
//           meet at one bin, and shared memory is near.
// Broken    `h[v]++` loads, adds and stores: two threads of a block with the same byte value lose a count.
// Correct   atomicAdd() in shared memory; one atomic per bin and block at the end.
// Ladder    global: one atomic in global memory per byte. correct: the private copy.
// Contract  n <= 2^31; any grid of at most 2^31 threads, any block; bytes has n elements, bins 256 that start at 0.
// Expect    broken: race-shared. all others: no findings, the exact counts.
// PTX       histogram_broken: bar.sync; ld.global; ld.shared; add; st.shared; bar.sync; never atom|red.shared
// PTX       histogram_correct: bar.sync; ld.global; atom.shared.add; bar.sync; atom|red.global.add
// PTX       histogram_global: ld.global; atom|red.global.add

#define BINS 256

extern "C" __global__ void histogram_broken(const unsigned char* bytes, unsigned n, unsigned* bins) {
    __shared__ unsigned h[BINS];
    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x) h[b] = 0;
    __syncthreads();

    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        // BUG: another thread's byte may have the same value.
        h[bytes[i]]++;
    }
    __syncthreads();

    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x) atomicAdd(&bins[b], h[b]);
}

extern "C" __global__ void histogram_correct(const unsigned char* bytes, unsigned n, unsigned* bins) {
    __shared__ unsigned h[BINS];
    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x) h[b] = 0;
    __syncthreads();

    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        // FIX: the count goes up in one step.
        atomicAdd(&h[bytes[i]], 1);
    }
    __syncthreads();

    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x) atomicAdd(&bins[b], h[b]);
}

extern "C" __global__ void histogram_global(const unsigned char* bytes, unsigned n, unsigned* bins) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&bins[bytes[i]], 1);
    }
}
