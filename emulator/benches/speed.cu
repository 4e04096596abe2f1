// What `cargo bench -p emulator` runs. speed.ptx beside it was made by
//     nvcc -ptx -arch=sm_90 -O3 -o speed.ptx speed.cu

// Arithmetic and almost nothing else: the iteration z = z*z + c, never leaving.
extern "C" __global__ void mandelbrot(const float* cx, const float* cy, int* dwell, int limit) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const float x0 = cx[i], y0 = cy[i];
    float x = 0, y = 0;
    int n = 0;
    while (n < limit && x * x + y * y < 4.0f) {
        const float t = x * x - y * y + x0;
        y = 2.0f * x * y + y0;
        x = t;
        ++n;
    }
    dwell[i] = n;
}

extern "C" __global__ void copy(const int* from, int* to, unsigned n) {
    const unsigned stride = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) to[i] = from[i];
}

extern "C" __global__ void histogram(const unsigned char* from, unsigned* counts, unsigned n) {
    __shared__ unsigned mine[256];
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) mine[i] = 0;
    __syncthreads();
    const unsigned stride = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&mine[from[i]], 1u);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&counts[i], mine[i]);
}

extern "C" __global__ void filter(const int* from, int* to, unsigned* kept, unsigned n) {
    const unsigned stride = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        if (from[i] > 0) to[atomicAdd(kept, 1u)] = from[i];
}

// One thread per warp takes its turns of one lock; what the lock guards is plain memory.
extern "C" __global__ void lock(unsigned* held, unsigned* count, unsigned turns) {
    if (threadIdx.x % 32 != 0) return;
    for (unsigned i = 0; i < turns; i++) {
        while (atomicCAS(held, 0u, 1u) != 0) {}
        __threadfence();
        *count += 1;
        __threadfence();
        atomicExch(held, 0u);
    }
}

// A product of matrices, side x depth by depth x side: each block has one thread, which adds the terms of its row of b. Every
// row of c has a lock.
extern "C" __global__ void product(const unsigned* a, const unsigned* b, unsigned* c, unsigned* locks, unsigned side) {
    const unsigned k = blockIdx.x, depth = gridDim.x;
    for (unsigned i = 0; i < side; i++)
        for (unsigned j = 0; j < side; j++) {
            while (atomicCAS(&locks[i], 0u, 1u) != 0) {}
            __threadfence();
            c[i * side + j] += a[i * depth + k] * b[k * side + j];
            __threadfence();
            atomicExch(&locks[i], 0u);
        }
}
