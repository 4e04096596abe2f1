// lesson03/pre_volta_broken.cu: tickets for the threads that want one, one atomic per warp, as before 2017.
//
// Idea      The first shuffles and votes had no mask: the lanes that happened to be there took part.
// Broken    __shfl() no longer exists for compute capability 7.0 and up. For __ballot() nvcc only warns
//           (switched off here), and ptxas then refuses what it became.
// Correct   pre_volta_correct, in pre_volta.cu.
// Contract  None: it is never run.
// Expect    compile-fail: nvcc does not know __shfl.
// Flags     -w

extern "C" __global__ void pre_volta_broken(const unsigned* want, unsigned n, unsigned* count, unsigned* tickets) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned lane = threadIdx.x % 32;
    if (i < n && want[i] != 0) {
        const unsigned mask = __ballot(1);
        const unsigned leader = __ffs(mask) - 1;
        unsigned first = 0;
        if (lane == leader) first = atomicAdd(count, __popc(mask));
        // BUG: chance decides which lanes give a value and which get one; compilers of today ask for a mask.
        first = __shfl(first, leader);
        tickets[i] = first + __popc(mask & ((1u << lane) - 1));
    }
}
