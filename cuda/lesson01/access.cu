// lesson01/access.cu: the same number of elements, read at a stride or at an offset.
//
// Idea      Memory moves sectors of 32 bytes. A warp that reads 32 neighbouring ints needs four, and uses every byte.
//           A warp that reads every eighth int needs 32 sectors, and uses four bytes of each.
// Correct   access_strided: thread i reads element i * stride. access_offset: thread i reads element i + offset.
// Contract  n, stride and offset >= 0; any grid with at least n threads; out has n ints; in has n * stride or
//           n + offset ints, a number that fits an int.
// Expect    no findings; out[i] is in[i * stride] or in[i + offset].
// PTX       access_strided: mul; ld.global; st.global
// PTX       access_offset: add; ld.global; st.global

extern "C" __global__ void access_strided(int* out, const int* in, int n, int stride) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i * stride];
}

extern "C" __global__ void access_offset(int* out, const int* in, int n, int offset) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i + offset];
}
