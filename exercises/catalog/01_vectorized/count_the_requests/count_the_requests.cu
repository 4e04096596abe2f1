// count_the_requests: what does this copy cost?
//
// 2 blocks of 64 threads copy 1002 ints as int4, and the tail one int at a time. in[i] is i. Both
// vectors begin at a multiple of 256 bytes. A load of a warp is one request, however wide it is and
// however many of its lanes take part. Memory comes in sectors of 32 bytes. A request costs as many
// sectors as its lanes touch.
//
// Do not change the kernel. No compiler is needed.
// Read     lesson01-vectorized/README.md, "What a load costs"
//
// TODO: predict one launch and write a number after each ANSWER:
// the requests for loads, the sectors that they bring, and out[1001] in the end.
// ANSWER: ?
// ANSWER: ?
// ANSWER: ?

extern "C" __global__ void copy(const int* in, int* out, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    for (int i = first; i < n / 4; i += all) {
        reinterpret_cast<int4*>(out)[i] = reinterpret_cast<const int4*>(in)[i];
    }
    if (first < n % 4) {
        const int i = n / 4 * 4 + first;
        out[i] = in[i];
    }
}
