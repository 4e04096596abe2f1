// wrong: answer
// The tail is forgotten, with its request and its sector.
// count_the_requests: what does this copy cost?
//
// 2 blocks of 64 threads copy 1002 ints as int4, and the tail singly. in[i] is i; both vectors
// begin at a multiple of 256 bytes. A load of a warp is one request, however wide it is and however
// many of its lanes take part. Memory comes in sectors of 32 bytes; a request costs as many as its
// lanes touch.
//
// Nothing is to be programmed here: the kernel stays as it is. No compiler is needed.
// Read on  lesson01-vectorized/README.md, "What a load costs"
//
// TODO: write behind each ANSWER what comes of one launch:
// how many requests for loads, how many sectors they bring, and what out[1001] is.
// ANSWER: 8
// ANSWER: 125
// ANSWER: 1001

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
