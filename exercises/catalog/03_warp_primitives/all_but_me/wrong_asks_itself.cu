// wrong: answer
// The mask names only the caller: the call is legal, but no lane gets the others' answers.

extern "C" __global__ void another_negative(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int i = 32 * blockIdx.x + lane;
    const bool negative = in[i] < 0;
    const unsigned votes = __ballot_sync(1u << lane, negative);
    out[i] = votes != 0;
}
