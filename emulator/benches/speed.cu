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

// Words that many blocks read: 4096 of them, in an order without a pattern.
extern "C" __global__ void gather(const unsigned* from, unsigned* to, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[from[i] % 4096];
}

// Each thread adds up a row of 16 entries, and all rows share the vector that `from` begins with: a sparse product.
extern "C" __global__ void sparse(const unsigned* from, unsigned* to, unsigned n) {
    const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
    if (row >= n / 16) return;
    for (unsigned i = 16 * row; i < 16 * row + 16; i++) sum += from[from[i] % 4096];
    to[row] = sum;
}

// 256 counters of the device that all blocks add to.
extern "C" __global__ void counters(const unsigned* from, unsigned* counts, unsigned n) {
    const unsigned stride = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&counts[from[i] % 256], 1u);
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

// An exclusive scan of each 512 bytes in shared memory, by up-sweep and down-sweep. Neighbouring threads write
// neighbouring bytes.
extern "C" __global__ void scan(const unsigned char* from, unsigned char* to, unsigned tiles) {
    constexpr unsigned ELEMENTS = 512;
    __shared__ unsigned char tile[ELEMENTS];
    const unsigned i = threadIdx.x;
    for (unsigned at = blockIdx.x; at < tiles; at += gridDim.x) {
        tile[2 * i] = from[at * ELEMENTS + 2 * i];
        tile[2 * i + 1] = from[at * ELEMENTS + 2 * i + 1];
        unsigned step = 1;
        for (unsigned pairs = ELEMENTS / 2; pairs > 0; pairs /= 2, step *= 2) {
            __syncthreads();
            if (i < pairs) tile[step * (2 * i + 2) - 1] += tile[step * (2 * i + 1) - 1];
        }
        if (i == 0) tile[ELEMENTS - 1] = 0;
        for (unsigned pairs = 1; pairs < ELEMENTS; pairs *= 2) {
            step /= 2;
            __syncthreads();
            if (i < pairs) {
                const unsigned left = step * (2 * i + 1) - 1, right = step * (2 * i + 2) - 1;
                const unsigned char before = tile[left];
                tile[left] = tile[right];
                tile[right] += before;
            }
        }
        __syncthreads();
        to[at * ELEMENTS + 2 * i] = tile[2 * i];
        to[at * ELEMENTS + 2 * i + 1] = tile[2 * i + 1];
        __syncthreads();
    }
}

// Two passes of a page rank over a square matrix. First each thread scales its own row.
extern "C" __global__ void rank_rows(const unsigned* from, unsigned* to, unsigned side) {
    const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= side) return;
    for (unsigned i = 0; i < side; i++) to[row * side + i] = 3 * from[row * side + i];
}

// Then each thread adds up its own column, which threads of all blocks have written.
extern "C" __global__ void rank_columns(const unsigned* from, unsigned* to, unsigned side) {
    const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= side) return;
    unsigned sum = 0;
    for (unsigned i = 0; i < side; i++) sum += from[i * side + column];
    to[column] = sum;
}

// A transport sweep: each thread multiplies its cell's 16 moments by a table that all threads of one of 8 directions
// read, keeps 32 angles in a row of its own, and adds its sums to the cell, as the threads of the other directions do.
extern "C" __global__ void sweep(const unsigned* table, const unsigned* moments, unsigned* angles, unsigned* to,
                                 unsigned cells) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 8 * cells) return;
    const unsigned direction = i / cells, cell = i % cells;
    const unsigned* row = table + direction * 512;
    for (unsigned angle = 0; angle < 32; angle++) {
        unsigned sum = 0;
        for (unsigned moment = 0; moment < 16; moment++) sum += row[moment * 32 + angle] * moments[cell * 16 + moment];
        angles[i * 32 + angle] = sum;
    }
    for (unsigned moment = 0; moment < 16; moment++) {
        unsigned sum = 0;
        for (unsigned angle = 0; angle < 32; angle++) sum += row[moment * 32 + angle] * angles[i * 32 + angle];
        atomicAdd(&to[cell * 16 + moment], sum);
    }
}
