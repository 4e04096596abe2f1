// misaligned_start: a vector that begins one int late
//
// The kernel copies n ints, from in[skip] on to out[skip] on, where skip is 1, 2 or 3. The elements
// of `out` before out[skip] must stay as they are. An `int4` may only be loaded and stored at a
// multiple of 16 bytes: at any other address the GPU stops with an error.
//
// in[0] and out[0] lie at multiples of 256 bytes, so in[skip] and out[skip] lie alike: as many ints
// lead from the one as from the other to the next multiple of 16 bytes.
//
// Do       Copy single ints up to the first multiple of 16 bytes, fours from there, and the tail.
//          The budget wants fours for the greater part. n may be as small as 1.
// Read on  lesson01-vectorized/README.md, "A promise of alignment"; cargo learn explain misaligned

extern "C" __global__ void copy_from(const int* in, int* out, int skip, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = gridDim.x * blockDim.x;
    // TODO: single ints first, as many as it takes; then let the fours begin there
    const int head = 0;

    const int begin = skip + head;
    const int fours = (n - head) / 4;
    const int4* in4 = reinterpret_cast<const int4*>(in + begin);
    int4* out4 = reinterpret_cast<int4*>(out + begin);
    for (int i = first; i < fours; i += all) out4[i] = in4[i];

    const int tail = begin + 4 * fours;
    if (tail + first < skip + n) out[tail + first] = in[tail + first];
}
