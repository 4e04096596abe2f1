// all_but_me: the same mask for all
//
// Each block is one warp. out[i] becomes 1 if another element of the warp is negative, and 0
// otherwise. in[i] itself does not count.
//
//     __ballot_sync(mask, question)    one bit for each lane of the mask: what did it answer?
//
// So each lane asks all lanes but itself. That looks natural. But now there are 32 different masks
// and 32 meetings, and each lane waits for lanes that are at another meeting.
//
// Range   gridDim.x is from 1 to 4; in has values from -1 to 30.
// Do      Let all lanes meet. The budget is one meeting per warp.
// Read    lesson03-warp-primitives/README.md, "Why is all lanes but me no mask?"; cargo learn
//         explain mask-mismatch

extern "C" __global__ void another_negative(const int* in, int* out) {
    const int lane = threadIdx.x;
    const int i = 32 * blockIdx.x + lane;
    const bool negative = in[i] < 0;
    // TODO: which lanes take part, and whose answers count?
    const unsigned others = ~(1u << lane);
    const unsigned votes = __ballot_sync(others, negative);
    out[i] = votes != 0;
}
