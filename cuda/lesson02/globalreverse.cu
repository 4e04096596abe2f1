// lesson02/globalreverse.cu: a grid reverses a whole vector: first within each block, then block by block.
//
// Idea      A barrier works within its block. Between blocks, the end of a kernel is the barrier.
// Broken    One kernel does both steps. The second step reads what another block reverses in the
//           first. That block may not have begun, or be half way, or be done.
// Correct   Two kernels in one stream: globalreverse_blocks, then globalreverse_correct. The
//           second begins when every block of the first has ended.
// Contract  n <= 2^30; blocks of 64 threads, as many as cover n; d has n ints, and each 64 of them are
//           reversed in place; e has n ints and gets d's first contents, last one first; globalreverse_correct
//           gets d as globalreverse_blocks left it. Up to 64 elements there is one block, and no bug.
// Expect    broken: race-global. correct: no findings, e reversed.
// PTX       globalreverse_broken: bar.sync; ld.shared; st.global; not bar; ld.global; st.global
// PTX       globalreverse_blocks: bar.sync; ld.shared; st.global; never ld.global.nc
// PTX       globalreverse_correct: ld.global; st.global; never bar

#define BLOCK 64

// Reverses this block's part of d.
__device__ void reverse_block(int* d, int n) {
    __shared__ int s[BLOCK];
    const int first = blockIdx.x * BLOCK;
    const int count = min(BLOCK, n - first);
    const int t = threadIdx.x;

    if (t < count) s[t] = d[first + t];
    __syncthreads();
    if (t < count) d[first + t] = s[count - t - 1];
}

// Where reverse_block() has put the element that was at `i`.
__device__ int place_of(int i, int n) {
    const int first = i / BLOCK * BLOCK;
    const int count = min(BLOCK, n - first);
    return first + count - 1 - (i - first);
}

extern "C" __global__ void globalreverse_broken(int* d, int* e, int n) {
    const int i = blockIdx.x * BLOCK + threadIdx.x;

    reverse_block(d, n);
    // BUG: another block writes this element, and nothing waits for that block.
    if (i < n) e[i] = d[place_of(n - 1 - i, n)];
}

extern "C" __global__ void globalreverse_blocks(int* d, int n) {
    reverse_block(d, n);
}

// FIX: a second kernel. All of globalreverse_blocks happens before it begins.
extern "C" __global__ void globalreverse_correct(const int* d, int* e, int n) {
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) e[i] = d[place_of(n - 1 - i, n)];
}
