// all_but_me: a mask is the name of a meeting
//
// Each block is one warp. out[i] becomes 1 if another element of the warp is negative - another one,
// in[i] itself does not count - and 0 if none is.
//
//     __ballot_sync(mask, question)    a bit for each lane of the mask: what did it answer?
//
// So each lane asks all lanes but itself. It looks natural. But with that there are 32 masks, 32
// meetings, and each lane waits for lanes that are at another one.
//
// Do       Let all lanes meet. The budget is one meeting a warp.
// Read on  lesson03-warp-primitives/README.md, "Why is all lanes but me no mask?";
//          cargo learn explain mask-mismatch

extern "C" __global__ void another_negative(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int i = 32 * blockIdx.x + lane;
    const bool negative = in[i] < 0;
    // TODO: who takes part, and whose answers count?
    const unsigned others = ~(1u << lane);
    const unsigned votes = __ballot_sync(others, negative);
    out[i] = votes != 0;
}
