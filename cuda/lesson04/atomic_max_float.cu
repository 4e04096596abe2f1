// lesson04/atomic_max_float.cu: CUDA has no atomicMax() for float; compare-and-swap makes one.
//
// Idea      CAS is universal: compute the new value from what was seen, and store it only
//           if the cell still holds what was seen. If not, look again.
// Broken    The loop starts from a plain load, which races with the others' atomics. It comes
//           out right on today's GPUs, since CAS looks again; the memory model promises nothing.
// Correct   The loop starts from an atomic load.
// Ladder    bits: no loop. Floats of one sign compare as their bits do, so one integer
//           atomic is enough: the maximum as int if the sign bit is clear, else the minimum as unsigned.
// Contract  n <= 2^31; any grid of at most 2^31 threads; v has n floats, most is one that starts at -infinity.
//           NaNs in v are passed over. -0 and +0 are equal: correct may keep either,
//           bits prefers +0. With nothing but NaNs, or n = 0, most stays -infinity.
// Expect    broken: race-global. all others: no findings, the exact maximum.
// PTX       atomic_max_float_broken: not atom; ld.global; ld.global; atom.global.cas
// PTX       atomic_max_float_correct: atom.global; atom.global.cas
// PTX       atomic_max_float_bits: atom|red.global.max.s32; atom|red.global.min.u32; never atom.cas

extern "C" __global__ void atomic_max_float_broken(const float* v, unsigned n, float* most) {
    int* bits = reinterpret_cast<int*>(most);
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        // BUG: a plain load of a cell that other threads change atomically.
        int seen = *bits;
        while (v[i] > __int_as_float(seen)) { // False for a NaN.
            const int found = atomicCAS(bits, seen, __float_as_int(v[i]));
            if (found == seen) break;
            seen = found;
        }
    }
}

extern "C" __global__ void atomic_max_float_correct(const float* v, unsigned n, float* most) {
    int* bits = reinterpret_cast<int*>(most);
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        // FIX: adding 0 atomically is a load that other atomics do not race with.
        int seen = atomicAdd(bits, 0);
        while (v[i] > __int_as_float(seen)) { // False for a NaN.
            const int found = atomicCAS(bits, seen, __float_as_int(v[i]));
            if (found == seen) break;
            seen = found;
        }
    }
}

extern "C" __global__ void atomic_max_float_bits(const float* v, unsigned n, float* most) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const float value = v[i];
        if (value != value) continue; // A NaN's bits would beat infinity.
        const int bits = __float_as_int(value);
        // By the sign bit, not by `value >= 0`: -0 must beat -infinity too.
        if (bits >= 0) {
            atomicMax(reinterpret_cast<int*>(most), bits);
        } else {
            atomicMin(reinterpret_cast<unsigned*>(most), static_cast<unsigned>(bits));
        }
    }
}
