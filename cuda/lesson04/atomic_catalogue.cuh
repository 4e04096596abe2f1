// lesson04/atomic_catalogue.cuh: each line of the catalogue becomes these two kernels.
//
// Thread i applies one atomic operation, with operand[i], to a cell that it shares with other
// threads. It stores the old value that the operation returned. The threads may come in any order,
// so a test checks each cell's history: some order of the operations must lead from the first
// value to the last through the old values returned.
//
// in_global   All threads share `cells` cells: thread i uses cell i % cells. One cell means
//             full contention; as many cells as threads mean none.
// in_shared   Each block copies its own `cells` cells to shared memory, works there, and
//             copies them back: thread t of block b uses cell b * cells + t % cells.
// Contract    1 <= cells; operand and old have n elements; cell has `cells` elements, for
//             in_shared gridDim.x * cells, and there cells <= 256; at least n threads.

#pragma once

#define SHARED_CELLS 256

template <typename T, typename Operation>
__device__ void in_global(T* cell, unsigned cells, const T* operand, T* old, unsigned n, Operation operation) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) old[i] = operation(&cell[i % cells], operand[i]);
}

template <typename T, typename Operation>
__device__ void in_shared(T* cell, unsigned cells, const T* operand, T* old, unsigned n, Operation operation) {
    __shared__ T own[SHARED_CELLS];
    T* const slice = cell + blockIdx.x * cells;
    for (unsigned c = threadIdx.x; c < cells; c += blockDim.x) own[c] = slice[c];
    __syncthreads();

    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) old[i] = operation(&own[threadIdx.x % cells], operand[i]);
    __syncthreads();

    for (unsigned c = threadIdx.x; c < cells; c += blockDim.x) slice[c] = own[c];
}

// One line of the catalogue: kernels name_global and, below, name_shared. In `call`, p is the
// cell's address and x this thread's operand.
#define GLOBAL(name, T, call)                                                                            \
    extern "C" __global__ void name##_global(T* cell, unsigned cells, const T* operand, T* old, unsigned n) { \
        in_global(cell, cells, operand, old, n, [](T* p, T x) -> T { return call; });                    \
    }
#define SHARED(name, T, call)                                                                            \
    extern "C" __global__ void name##_shared(T* cell, unsigned cells, const T* operand, T* old, unsigned n) { \
        in_shared(cell, cells, operand, old, n, [](T* p, T x) -> T { return call; });                    \
    }
#define BOTH(name, T, call) \
    GLOBAL(name, T, call)   \
    SHARED(name, T, call)
