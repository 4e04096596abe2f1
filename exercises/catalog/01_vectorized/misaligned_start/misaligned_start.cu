// misaligned_start: a vector that begins one int late
//
// The kernel copies n ints: in[skip] to out[skip], in[skip + 1] to out[skip + 1], and so on. skip
// is 1, 2 or 3. The elements of `out` before out[skip] must stay as they are. An `int4` must be
// loaded and stored at a multiple of 16 bytes. At any other address the GPU stops with an error.
//
// in[0] and out[0] are at multiples of 256 bytes. So in[skip] and out[skip] have the same
// alignment: the next multiple of 16 bytes is the same number of ints away.
//
// Range    skip is from 1 to 3; n is from 1 to 1500; in has values from -99 to 99.
// Do       Copy single ints up to the first multiple of 16 bytes, then fours, then the tail. For
//          the budget, most of the vector must go by fours. n may be as small as 1.
// Read     lesson01-vectorized/README.md, "A promise of alignment"; cargo learn explain misaligned

extern "C" __global__ void copy_from(const int* in, int* out, int skip, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    // TODO: how many single ints come first? Let the fours begin after them
    const int head = 0;

    const int begin = skip + head;
    const int fours = (n - head) / 4;
    const int4* in4 = reinterpret_cast<const int4*>(in + begin);
    int4* out4 = reinterpret_cast<int4*>(out + begin);
    for (int i = first; i < fours; i += all) out4[i] = in4[i];

    const int tail = begin + 4 * fours;
    if (tail + first < skip + n) out[tail + first] = in[tail + first];
}
