// Arch: sm_90
// lesson07/chain.cu: each element's share of the sum, in millionths. Three launches in one stream: one sum per block
// (chain_parts), the sum of those (chain_total), and the shares.
//
// Idea      A dependent launch may begin before the launch ahead of it has ended. Only its own wait,
//           cudaGridDependencySynchronize(), orders the two. The trigger of the launch ahead orders nothing.
// Broken    chain_broken: the third launch never waits.
//           chain_late: it reads the sum, and waits afterwards.
//           chain_cleared: before it waits, it clears sums that the second launch may still read.
//           chain_middle: a second launch that does not wait.
// Correct   chain_correct: each launch waits before its first access of what other launches read or write.
//           chain_plain: chain_broken's lines, but in ordinary launches, which their stream orders.
// Contract  blocks of 256 threads. First chain_parts, as many blocks as cover n; then chain_total or chain_middle, one
//           block, with the number of blocks of the first; then one of the others, launched as the first. v has n ints
//           from 1 to 1000, out has n, parts has one per block, total one. n <= 2^21.
// Expect    broken, late, cleared, middle: race-global. correct, plain: no findings; the exact shares, rounded down.
// PTX       chain_broken: ld.global; st.global; never griddepcontrol.wait
// PTX       chain_late: ld.global; griddepcontrol.wait; st.global
// PTX       chain_cleared: st.global; griddepcontrol.wait; ld.global; st.global
// PTX       chain_middle: griddepcontrol.launch_dependents; ld.global; st.global; never griddepcontrol.wait
// PTX       chain_total: griddepcontrol.wait; griddepcontrol.launch_dependents; ld.global; st.global
// PTX       chain_correct: griddepcontrol.wait; ld.global; st.global

// The sum of a value of each thread of the block.
__device__ int block_sum(int own) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, own);
    __syncthreads();
    return sum;
}

// The block's sum of its part of v.
__device__ void sum_part(const int* v, unsigned n, int* parts) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const int sum = block_sum(i < n ? v[i] : 0);
    if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

__device__ int sum_of(const int* parts, unsigned blocks) {
    int own = 0;
    for (unsigned i = threadIdx.x; i < blocks; i += blockDim.x) own += parts[i];
    return own;
}

__device__ void put_total(int own, int* total) {
    const int sum = block_sum(own);
    if (threadIdx.x == 0) *total = sum;
}

__device__ int share(int value, int total) {
    return 1000000ll * value / total;
}

extern "C" __global__ void chain_parts(const int* v, unsigned n, int* parts) {
    cudaTriggerProgrammaticLaunchCompletion(); // The second launch may begin.
    sum_part(v, n, parts);
}

extern "C" __global__ void chain_total(const int* parts, unsigned blocks, int* total) {
    cudaGridDependencySynchronize(); // FIX: all of the first launch is over.
    cudaTriggerProgrammaticLaunchCompletion(); // The third launch may begin.
    put_total(sum_of(parts, blocks), total);
}

extern "C" __global__ void chain_middle(const int* parts, unsigned blocks, int* total) {
    cudaTriggerProgrammaticLaunchCompletion();
    int own = 0;
    // BUG: the first launch may not have written these. And who waits for this launch does not wait for the first one.
    for (unsigned i = threadIdx.x; i < blocks; i += blockDim.x) own += parts[i];
    put_total(own, total);
}

extern "C" __global__ void chain_broken(const int* v, unsigned n, int* parts, const int* total, int* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    // BUG: the second launch may not have written the sum.
    if (i < n) out[i] = share(v[i], *total);
    if (threadIdx.x == 0) parts[blockIdx.x] = 0; // For the next time.
}

extern "C" __global__ void chain_late(const int* v, unsigned n, int* parts, const int* total, int* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    // BUG: this comes before the wait.
    const int sum = *total;
    cudaGridDependencySynchronize();
    if (i < n) out[i] = share(v[i], sum);
    if (threadIdx.x == 0) parts[blockIdx.x] = 0;
}

extern "C" __global__ void chain_cleared(const int* v, unsigned n, int* parts, const int* total, int* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    // BUG: the second launch may still read this.
    if (threadIdx.x == 0) parts[blockIdx.x] = 0;
    cudaGridDependencySynchronize();
    if (i < n) out[i] = share(v[i], *total);
}

extern "C" __global__ void chain_correct(const int* v, unsigned n, int* parts, const int* total, int* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    cudaGridDependencySynchronize(); // FIX: before the read of the sum, and before the write to the parts.
    if (i < n) out[i] = share(v[i], *total);
    if (threadIdx.x == 0) parts[blockIdx.x] = 0;
}

extern "C" __global__ void chain_plain(const int* v, unsigned n, int* parts, const int* total, int* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = share(v[i], *total); // FIX: the launch is an ordinary one.
    if (threadIdx.x == 0) parts[blockIdx.x] = 0;
}
