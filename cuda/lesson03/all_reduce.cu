// lesson03/all_reduce.cu: every lane gets the sum of all lanes.
//
// Idea      A butterfly: in each round two lanes whose numbers differ in one bit exchange their sums, and
//           both keep the total. After five rounds every lane has the sum of all 32.
// Broken    The tree of __shfl_down_sync() gives the sum to lane 0 only. The other lanes hold other sums:
//           where no lane is in range they have added their own value once more.
// Correct   __shfl_xor_sync().
// Contract  One warp per block; v and out have 32 ints per block. Sums fit in an int.
// Expect    broken: wrong-result. correct: no findings, the exact sum in every lane.
// PTX       all_reduce_broken: shfl.sync.down; st.global; never shfl.sync.bfly
// PTX       all_reduce_correct: shfl.sync.bfly; st.global; never shfl.sync.down

#define FULL_MASK 0xffffffffu

extern "C" __global__ void all_reduce_broken(const int* v, int* out) {
    const unsigned t = 32 * blockIdx.x + threadIdx.x;
    int sum = v[t];
    for (int offset = 16; offset > 0; offset /= 2) {
        // BUG: lane 31 reads itself in every round, and holds 32 times its own value in the end.
        sum += __shfl_down_sync(FULL_MASK, sum, offset);
    }
    out[t] = sum;
}

extern "C" __global__ void all_reduce_correct(const int* v, int* out) {
    const unsigned t = 32 * blockIdx.x + threadIdx.x;
    int sum = v[t];
    for (int offset = 16; offset > 0; offset /= 2) {
        // FIX: lane ^ offset always exists, and both lanes end with the same sum.
        sum += __shfl_xor_sync(FULL_MASK, sum, offset);
    }
    out[t] = sum;
}
