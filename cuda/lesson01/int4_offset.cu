// lesson01/int4_offset.cu: a vector that begins one int late, copied as int4.
//
// Idea      A GPU accesses 16 bytes only at multiples of 16. A cast to int4* does not change the address.
// Broken    It casts in and out to int4* wherever they point. One int into a buffer is 4 bytes past a multiple of 16.
// Correct   Single ints up to the first multiple of 16, then int4, then single ints. If that first part is not equally
//           long for in and out, it copies everything in single ints.
// Contract  n < 2^30; blocks of at least 8 threads, a grid of at most 2^30; in and out have n ints, at least 4. If both
//           are aligned to 16 bytes there is no bug.
// Expect    broken: misaligned. correct: no findings, out equals in.
// PTX       int4_offset_broken: not ld.global; ld.global.v4; st.global.v4
// PTX       int4_offset_correct: ld.global; st.global; ld.global.v4; st.global.v4; ld.global; st.global

extern "C" __global__ void int4_offset_broken(int* out, const int* in, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int i = index; i < n / 4; i += gridDim.x * blockDim.x) {
        // BUG: the cast promises an alignment of 16 bytes, but nothing ensures it.
        reinterpret_cast<int4*>(out)[i] = reinterpret_cast<const int4*>(in)[i];
    }
    if (index < n % 4) out[n / 4 * 4 + index] = in[n / 4 * 4 + index];
}

// How many ints are left to the next multiple of 16 bytes: 0 to 3.
__device__ int ints_to_alignment(const int* p) {
    return static_cast<int>((16 - reinterpret_cast<size_t>(p) % 16) % 16 / sizeof(int));
}

extern "C" __global__ void int4_offset_correct(int* out, const int* in, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    const int stride = gridDim.x * blockDim.x;
    // FIX: the int4 part begins where both pointers are multiples of 16.
    const bool alike = ints_to_alignment(in) == ints_to_alignment(out);
    const int head = alike ? min(ints_to_alignment(in), n) : n;
    const int fours = (n - head) / 4;
    const int tail = head + 4 * fours;
#pragma unroll 1
    for (int i = index; i < head; i += stride) out[i] = in[i];
#pragma unroll 1
    for (int i = index; i < fours; i += stride) {
        reinterpret_cast<int4*>(out + head)[i] = reinterpret_cast<const int4*>(in + head)[i];
    }
    if (index < n - tail) out[tail + index] = in[tail + index];
}
