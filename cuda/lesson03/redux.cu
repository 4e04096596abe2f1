// Arch: sm_80
// lesson03/redux.cu: a reduction over a warp in one instruction.
//
// Idea      From compute capability 8.0 on, one instruction does the five rounds of shuffles, for 32-bit integers.
// Contract  One warp per block; block b asks the lanes of members[b], not 0; values and out have 32 elements per
//           block; those of members are written.
// Expect    no findings; out is the reduction over the members' values. Sums wrap around.
// PTX       redux_add: redux.sync.add; st.global
// PTX       redux_min: redux.sync.min.u32; st.global
// PTX       redux_min_signed: redux.sync.min.s32; st.global
// PTX       redux_max: redux.sync.max.u32; st.global
// PTX       redux_max_signed: redux.sync.max.s32; st.global
// PTX       redux_and: redux.sync.and; st.global
// PTX       redux_or: redux.sync.or; st.global
// PTX       redux_xor: redux.sync.xor; st.global

#define REDUX(name, type, function)                                                                  \
    extern "C" __global__ void name(const unsigned* members, const type* values, type* out) {        \
        const unsigned lane = threadIdx.x, mask = members[blockIdx.x], t = 32 * blockIdx.x + lane;   \
        if (mask >> lane & 1) out[t] = function(mask, values[t]);                                    \
    }

REDUX(redux_add, unsigned, __reduce_add_sync)
REDUX(redux_min, unsigned, __reduce_min_sync)
REDUX(redux_min_signed, int, __reduce_min_sync)
REDUX(redux_max, unsigned, __reduce_max_sync)
REDUX(redux_max_signed, int, __reduce_max_sync)
REDUX(redux_and, unsigned, __reduce_and_sync)
REDUX(redux_or, unsigned, __reduce_or_sync)
REDUX(redux_xor, unsigned, __reduce_xor_sync)
