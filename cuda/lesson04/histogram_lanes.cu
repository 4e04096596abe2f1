// lesson04/histogram_lanes.cu: a histogram in which no two lanes of a warp meet.
//
// Idea      Shared memory has 32 banks, and a bank does one access at a time. Here each lane has bins of its own, and all
//           of them lie in one bank. So a warp's 32 counts are made together, whatever the bytes are.
// Correct   16 bytes a load, two loads on their way. At the end a thread adds up the 32 counts of one byte value, and each
//           warp adds 32 neighbouring bins to the result.
// Contract  n <= 2^31; bytes is aligned to 16 bytes; blocks of a multiple of 32 threads, at most 2^25 threads in the grid;
//           bins has 256 elements that start at 0. 32 KiB of shared memory per block.
// Expect    no findings, the exact counts.
// PTX       histogram_lanes: ld.global.v4; ld.global.v4; atom|red.shared.add; bar.sync; ld.shared; atom|red.global.add

#define BINS 256
#define LANES 32

// Counts the four bytes of a word in the bins of this lane.
__device__ inline void count(unsigned h[BINS][LANES], unsigned word) {
    const unsigned lane = threadIdx.x % LANES;
    atomicAdd(&h[word & 255][lane], 1);
    atomicAdd(&h[word >> 8 & 255][lane], 1);
    atomicAdd(&h[word >> 16 & 255][lane], 1);
    atomicAdd(&h[word >> 24][lane], 1);
}

__device__ inline void count(unsigned h[BINS][LANES], uint4 words) {
    count(h, words.x);
    count(h, words.y);
    count(h, words.z);
    count(h, words.w);
}

extern "C" __global__ void __launch_bounds__(1024, 2)
    histogram_lanes(const unsigned char* bytes, unsigned n, unsigned* bins) {
    __shared__ unsigned h[BINS][LANES];
    for (unsigned i = threadIdx.x; i < BINS * LANES; i += blockDim.x) h[i / LANES][i % LANES] = 0;
    __syncthreads();

    const uint4* wide = reinterpret_cast<const uint4*>(bytes);
    const unsigned step = gridDim.x * blockDim.x * 2;
    unsigned i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
    for (; i + blockDim.x < n / 16; i += step) {
        const uint4 a = wide[i], b = wide[i + blockDim.x];
        count(h, a);
        count(h, b);
    }
    if (i < n / 16) count(h, wide[i]);
    if (blockIdx.x == 0 && threadIdx.x < n % 16) {
        atomicAdd(&h[bytes[n / 16 * 16 + threadIdx.x]][threadIdx.x % LANES], 1);
    }
    __syncthreads();

    // The lanes of a warp read 32 rows. Each begins in another column, so they read 32 banks.
    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x) {
        unsigned sum = 0;
        for (unsigned k = 0; k < LANES; k++) sum += h[b][(b + k) % LANES];
        atomicAdd(&bins[b], sum);
    }
}
