// lesson04/atomic_max_float.cu: CUDA has no atomicMax() for float. A compare-and-swap loop makes one.
//
// Idea      CAS is universal: compute the new value from the value seen. Store it only if the
//           cell still holds the value seen. If not, try again with the value found.
// Broken    The loop starts from a plain load, which races with other threads' atomics. It gives the right
//           result on today's GPUs, since CAS checks the value again. The memory model does not promise that.
// Correct   The loop starts from an atomic load.
// Ladder    bits: no loop. Floats of one sign are ordered as their bits are, or in reverse if negative. One integer
//           atomic is enough: atomicMax() as int if the sign bit is clear, else atomicMin() as unsigned.
// Contract  n <= 2^31; any grid of at most 2^31 threads; v has n floats, most is one that starts at -infinity.
//           NaNs in v are skipped. -0 and +0 are equal: correct may keep either of them,
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
        // FIX: adding 0 is an atomic load. It does not race with other atomics.
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
        if (value != value) continue; // As bits, a NaN can be more than infinity.
        const int bits = __float_as_int(value);
        // Test the sign bit, not `value >= 0`: -0 must replace -infinity too.
        if (bits >= 0) {
            atomicMax(reinterpret_cast<int*>(most), bits);
        } else {
            atomicMin(reinterpret_cast<unsigned*>(most), static_cast<unsigned>(bits));
        }
    }
}
