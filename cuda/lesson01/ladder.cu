// lesson01/ladder.cu: one copy, from four bytes per load to all that the memory gives.
//
// Idea      A load of a warp reads 32 elements. Wider elements need fewer loads, iterations and index sums for the
//           same bytes. The memory is busy only while enough bytes are on their way.
// Ladder    int: 4 bytes per thread and iteration. int2: 8. int4: 16. each: 16, one thread per int4, without a loop.
//           four: 64 bytes per thread, all loads before the first store.
// Contract  n < 2^30; in and out have n ints and are aligned to 16 bytes. int, int2, int4: any grid of at most 2^30 threads,
//           blocks of at least 4. each: at least n / 4 threads, rounded up. four: blocks of 256 threads,
//           n / 4096 of them, rounded up.
// Expect    no findings, out equals in.
// PTX       ladder_int: ld.global.u32; st.global.u32; never ld.global.v2; never ld.global.v4
// PTX       ladder_int2: ld.global; st.global
// PTX       ladder_int4: ld.global.v4; st.global.v4
// PTX       ladder_each: ld.global.v4; st.global.v4
// PTX       ladder_four: ld.global.v4; ld.global.v4; ld.global.v4; ld.global.v4; st.global.v4; st.global.v4

extern "C" __global__ void ladder_int(int* out, const int* in, int n) {
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        out[i] = in[i];
    }
}

extern "C" __global__ void ladder_int2(int* out, const int* in, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int i = index; i < n / 2; i += gridDim.x * blockDim.x) {
        reinterpret_cast<int2*>(out)[i] = reinterpret_cast<const int2*>(in)[i];
    }
    if (index < n % 2) out[n - 1] = in[n - 1];
}

extern "C" __global__ void ladder_int4(int* out, const int* in, int n) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int i = index; i < n / 4; i += gridDim.x * blockDim.x) {
        reinterpret_cast<int4*>(out)[i] = reinterpret_cast<const int4*>(in)[i];
    }
    if (index < n % 4) out[n / 4 * 4 + index] = in[n / 4 * 4 + index];
}

extern "C" __global__ void ladder_each(int* out, const int* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        reinterpret_cast<int4*>(out)[i] = reinterpret_cast<const int4*>(in)[i];
    } else if (i == n / 4) {
        // This grid has a thread n / 4 whenever ints are left.
        for (int rest = n / 4 * 4; rest < n; rest++) out[rest] = in[rest];
    }
}

extern "C" __global__ void ladder_four(int* out, const int* in, int n) {
    const int4* from = reinterpret_cast<const int4*>(in);
    int4* to = reinterpret_cast<int4*>(out);
    const int i = blockIdx.x * 1024 + threadIdx.x;
    if (i + 768 < n / 4) {
        // Four loads are on their way before the first one has arrived.
        const int4 a = from[i], b = from[i + 256], c = from[i + 512], d = from[i + 768];
        to[i] = a;
        to[i + 256] = b;
        to[i + 512] = c;
        to[i + 768] = d;
    } else {
        for (int j = i; j < n / 4; j += 256) to[j] = from[j];
    }
    // The last block copies what is left.
    const int rest = n / 4 * 4 + threadIdx.x;
    if (blockIdx.x == gridDim.x - 1 && rest < n) out[rest] = in[rest];
}
