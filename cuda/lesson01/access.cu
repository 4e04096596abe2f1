// lesson01/access.cu: the same number of elements from places further and further apart.
//
// Idea      Memory comes in sectors of 32 bytes. A warp that reads 32 neighbours takes four of them, and uses every byte; one that
//           reads every eighth element takes 32, and uses four bytes of each.
// Correct   access_strided: thread i reads element i * stride. access_offset: thread i reads element i + offset.
// Contract  n, stride and offset >= 0; any grid with at least n threads; out has n ints, in what is read: n * stride or
//           n + offset; its size fits an int.
// Expect    no findings, each element in its place.
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
