// lesson03/pre_volta_broken.cu: tickets for those who want one, one atomic a warp, as written before 2017.
//
// Idea      The first shuffles and votes had no mask: whoever was there took part. Nobody could say who that is.
// Broken    __shfl() is gone for compute capability 7.0 and up. __ballot() still earns no more than a warning
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
        // BUG: who hands over, and who is handed something, is left to chance; today's compilers ask for a mask.
        first = __shfl(first, leader);
        tickets[i] = first + __popc(mask & ((1u << lane) - 1));
    }
}
