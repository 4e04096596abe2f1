// From the highest bit down: does a candidate have a one here? Values are made positive first.

extern "C" __global__ void below_the_largest(const int* in, int* out) {
    const int i = 128 * blockIdx.x + threadIdx.x;
    const int mine = in[i];
    const unsigned lifted = mine + 1024;
    unsigned candidates = 0xffffffff;
    int largest = 0;
    for (int bit = 10; bit >= 0; bit--) {
        const unsigned ones = __ballot_sync(0xffffffff, lifted >> bit & 1) & candidates;
        if (ones != 0) {
            candidates = ones;
            largest |= 1 << bit;
        }
    }
    largest -= 1024;
    out[i] = largest - mine;
}
