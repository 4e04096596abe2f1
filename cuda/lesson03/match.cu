// lesson03/match.cu: which lanes hold the same value.
//
// Idea      __match_any_sync() gives each lane the mask of the lanes that hold the same value: groups, without a
//           sort. __match_all_sync() asks whether all lanes hold the same value.
// Contract  One warp per block; block b asks the lanes of members[b], not 0; values and same have 32 elements per
//           block, and so has agree for match_all; those of members are written.
// Expect    no findings; same is the mask of the members with an equal value. For match_all it is all of members
//           or 0, and agree says which.
// PTX       match_any: match.any.sync.b32; st.global
// PTX       match_any_64: match.any.sync.b64; st.global
// PTX       match_all: match.all.sync.b32; st.global
// PTX       match_all_64: match.all.sync.b64; st.global

typedef unsigned long long u64;

template <typename T>
__device__ void any(const unsigned* members, const T* values, unsigned* same) {
    const unsigned lane = threadIdx.x, mask = members[blockIdx.x], t = 32 * blockIdx.x + lane;
    if (mask >> lane & 1) same[t] = __match_any_sync(mask, values[t]);
}

template <typename T>
__device__ void all(const unsigned* members, const T* values, unsigned* same, int* agree) {
    const unsigned lane = threadIdx.x, mask = members[blockIdx.x], t = 32 * blockIdx.x + lane;
    if (mask >> lane & 1) same[t] = __match_all_sync(mask, values[t], &agree[t]);
}

extern "C" __global__ void match_any(const unsigned* members, const unsigned* values, unsigned* same) {
    any(members, values, same);
}

extern "C" __global__ void match_any_64(const unsigned* members, const u64* values, unsigned* same) {
    any(members, values, same);
}

extern "C" __global__ void match_all(const unsigned* members, const unsigned* values, unsigned* same, int* agree) {
    all(members, values, same, agree);
}

extern "C" __global__ void match_all_64(const unsigned* members, const u64* values, unsigned* same, int* agree) {
    all(members, values, same, agree);
}
