// lesson03/vote.cu: the four votes.
//
// Idea      A vote asks one question to the lanes of one mask. All of them must bring that same mask, or they
//           take part in different votes.
// Broken    Each lane asks all lanes but itself: 32 masks, and no lane is in its own mask.
// Correct   All lanes vote with one mask; each then leaves its own bit out of the result.
// Contract  One warp per block. broken, correct: wants has 32 elements per block, out too; out is 1 if any
//           other lane wants. the others: block b asks the lanes of members[b], not 0, whether their bit of
//           predicates[b] is set; out has 32 elements per block, of which those of members are written.
// Expect    broken: mask-mismatch. all others: no findings, the answers as counted one by one.
// PTX       vote_broken: vote.sync.any; st.global; never vote.sync.ballot
// PTX       vote_correct: vote.sync.ballot; st.global; never vote.sync.any
// PTX       vote_all: vote.sync.all; st.global
// PTX       vote_any: vote.sync.any; st.global
// PTX       vote_uni: vote.sync.uni; st.global
// PTX       vote_ballot: vote.sync.ballot; st.global

#define FULL_MASK 0xffffffffu

extern "C" __global__ void vote_broken(const unsigned* wants, unsigned* out) {
    const unsigned t = 32 * blockIdx.x + threadIdx.x;
    const unsigned mine = 1u << threadIdx.x;
    // BUG: a mask names the lanes that meet here, and the lane that asks is one of them.
    out[t] = __any_sync(FULL_MASK & ~mine, wants[t]);
}

extern "C" __global__ void vote_correct(const unsigned* wants, unsigned* out) {
    const unsigned t = 32 * blockIdx.x + threadIdx.x;
    const unsigned mine = 1u << threadIdx.x;
    // FIX: one mask for all; each lane ignores its own bit of the answer.
    out[t] = (__ballot_sync(FULL_MASK, wants[t]) & ~mine) != 0;
}

extern "C" __global__ void vote_all(const unsigned* members, const unsigned* predicates, unsigned* out) {
    const unsigned lane = threadIdx.x, mask = members[blockIdx.x];
    if (mask >> lane & 1) out[32 * blockIdx.x + lane] = __all_sync(mask, predicates[blockIdx.x] >> lane & 1);
}

extern "C" __global__ void vote_any(const unsigned* members, const unsigned* predicates, unsigned* out) {
    const unsigned lane = threadIdx.x, mask = members[blockIdx.x];
    if (mask >> lane & 1) out[32 * blockIdx.x + lane] = __any_sync(mask, predicates[blockIdx.x] >> lane & 1);
}

extern "C" __global__ void vote_uni(const unsigned* members, const unsigned* predicates, unsigned* out) {
    const unsigned lane = threadIdx.x, mask = members[blockIdx.x];
    if (mask >> lane & 1) out[32 * blockIdx.x + lane] = __uni_sync(mask, predicates[blockIdx.x] >> lane & 1);
}

extern "C" __global__ void vote_ballot(const unsigned* members, const unsigned* predicates, unsigned* out) {
    const unsigned lane = threadIdx.x, mask = members[blockIdx.x];
    if (mask >> lane & 1) out[32 * blockIdx.x + lane] = __ballot_sync(mask, predicates[blockIdx.x] >> lane & 1);
}
