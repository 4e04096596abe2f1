// lesson05/child_pointer.cu: a block prepares data for a child.
//
// Idea      Shared memory belongs to a block, local memory to a thread. Another grid has its own.
// Broken    The child gets a pointer to the block's shared array.
// Correct   It gets a pointer to global memory. The block copies the array there, before a barrier.
// Contract  Blocks of 64 threads; in, scratch and out have an int per thread.
// Expect    broken: device-launch. correct: no findings, each block's elements in reverse.
// PTX       child_pointer_broken: st.shared; bar.sync; cvta.shared.u64; call; never st.global.u32
// Flags     -rdc=true

extern "C" __global__ void reverse_block(const int* in, int* out) {
    out[threadIdx.x] = in[63 - threadIdx.x];
}

extern "C" __global__ void child_pointer_broken(const int* in, int* scratch, int* out) {
    __shared__ int row[64];
    const unsigned first = blockIdx.x * 64;
    row[threadIdx.x] = in[first + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        // BUG: at that address the child has its own shared memory, or none.
        reverse_block<<<1, 64>>>(row, out + first);
    }
}

extern "C" __global__ void child_pointer_correct(const int* in, int* scratch, int* out) {
    __shared__ int row[64];
    const unsigned first = blockIdx.x * 64;
    row[threadIdx.x] = in[first + threadIdx.x];
    scratch[first + threadIdx.x] = row[threadIdx.x]; // FIX: the child reads this.
    __syncthreads();
    if (threadIdx.x == 0) reverse_block<<<1, 64>>>(scratch + first, out + first);
}
