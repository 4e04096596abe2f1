// Arch: sm_90a
// lesson07/product.cu: the product of two matrices is added to a third one. Tiles come by tensor maps through a ring of
// stages, as in ring.cu, and the tensor cores multiply them: `wgmma`, an instruction of 128 threads together.
//
// Idea      wgmma.mma_async only starts a product. Until a wgmma.wait_group has waited for it, it reads its tiles, and
//           its sums are in no register that a thread may use.
// Broken    product_broken: a warp says that it has read the tiles of the product that it has just started. It has
//           waited for the one before.
//           product_early: the sums are stored while the last product may still add to them.
//           product_unfenced: no wgmma.fence between the loads of the sums and the first product.
// Correct   The stage of a product is empty when a wait covers that product. wgmma.fence comes before the first
//           product, and a wait for all of them before the stores.
//           product_three: three stages in place of two.
// Contract  160 threads a block: a warpgroup that multiplies, and a warp whose first thread fills the stages. A block
//           has 64 rows and 32 columns of out, which has `rows` times `columns` floats, and the grid covers it. a and
//           b are maps of matrices of f16, with a pattern of 128 bytes. a has `rows` rows, in boxes of 64 x 64. b is
//           the second factor, transposed: it has `columns` rows, in boxes of 32 x 64. A row is at most `tiles` boxes.
// Expect    broken: race-shared. early, unfenced: wgmma. correct, three: no findings; out plus the product, exactly.
// PTX       product_broken: wgmma.fence; wgmma.mma_async; wgmma.wait_group 1; not xor; mbarrier.arrive; st.global
// PTX       product_early: wgmma.mma_async; wgmma.wait_group 1; mbarrier.arrive; not wgmma.wait_group 0; st.global
// PTX       product_unfenced: ld.global; not wgmma.fence; wgmma.mma_async; wgmma.commit_group; wgmma.wait_group 0
// PTX       product_correct: ld.global; wgmma.fence; wgmma.mma_async; wgmma.wait_group 1; mbarrier.arrive
// PTX       product_three: ld.global; wgmma.fence; wgmma.mma_async; wgmma.wait_group 1; mbarrier.arrive

#include <cuda.h>
#include <cuda/ptx>
#include <cuda_fp16.h>
#include <cstdint>
namespace ptx = cuda::ptx;
using ptx::space_cluster, ptx::space_global, ptx::space_shared;

#define GROUP 128
#define ROWS 64
#define COLUMNS 32
#define DEPTH 64
#define SUMS (ROWS * COLUMNS / GROUP)

// Each row of a tile has 128 bytes, and the pattern of the maps repeats after eight rows: 1024 bytes.
template <unsigned STAGES>
struct Ring {
    alignas(1024) __half a[STAGES][ROWS * DEPTH];
    alignas(1024) __half b[STAGES][COLUMNS * DEPTH];
    uint64_t full[STAGES];
    uint64_t empty[STAGES];
};

// A phase of `full` is complete when its bytes have come; one of `empty`, when each warp has said that it has read.
template <unsigned STAGES>
__device__ void init(Ring<STAGES>& ring) {
    if (threadIdx.x == 0) {
        for (unsigned s = 0; s < STAGES; s++) {
            ptx::mbarrier_init(&ring.full[s], 1);
            ptx::mbarrier_init(&ring.empty[s], GROUP / 32);
        }
        ptx::fence_proxy_async(space_shared); // Copies see them as well.
    }
    __syncthreads();
}

// Waits until the phase of this parity is complete. The phase before the first one counts as complete: its parity is 1.
__device__ void wait(uint64_t* barrier, unsigned parity) {
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {}
}

// Fills stage after stage, each one when it is empty. What a box has outside of its matrix becomes 0, and counts.
template <unsigned STAGES>
__device__ void fill(Ring<STAGES>& ring, const CUtensorMap* a, const CUtensorMap* b, unsigned tiles) {
    const int y_a = blockIdx.y * ROWS, y_b = blockIdx.x * COLUMNS;
    for (unsigned k = 0; k < tiles; k++) {
        const unsigned s = k % STAGES, round = k / STAGES, bytes = sizeof(ring.a[s]) + sizeof(ring.b[s]);
        const int x = k * DEPTH;
        wait(&ring.empty[s], (round + 1) % 2);
        uint64_t* full = &ring.full[s];
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, space_shared, full, bytes);
        ptx::cp_async_bulk_tensor(space_cluster, space_global, ring.a[s], a, {x, y_a}, full);
        ptx::cp_async_bulk_tensor(space_cluster, space_global, ring.b[s], b, {x, y_b}, full);
    }
}

// What `wgmma` takes for a tile: its address and the bytes from eight rows to the next, in units of 16, and the pattern
// of 128 bytes.
__device__ uint64_t descriptor(const __half* tile) {
    return __cvta_generic_to_shared(tile) >> 4 | uint64_t(1024 / 16) << 32 | uint64_t(1) << 62;
}

// The instructions of the warpgroup are macros, so that a report names the line that uses them. This one starts the
// product of 16 columns of two tiles.
#define MULTIPLY(d, a, b)                                                                                           \
    asm volatile("wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 "                                              \
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, 1, 1, 1, 0, 0;" \
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),  \
                   "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]),         \
                   "+f"(d[15])                                                                                      \
                 : "l"(descriptor(a)), "l"(descriptor(b))                                                           \
                 : "memory")

// Orders what this thread has done with registers before the products that use them. One before the loop would be
// enough, but the assembler then inserts its own, and waits for each product.
#define FENCE() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")

// Makes a group of the products that this warp has started since the last one.
#define COMMIT() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")

// Waits until at most so many groups of this warp are under way: the newest ones.
#define WAIT_GROUP(left) asm volatile("wgmma.wait_group.sync.aligned " #left ";" ::: "memory")

// The elements of out whose sums a thread of the warpgroup has.
struct Place {
    unsigned row, column, rows, columns;

    __device__ Place(unsigned rows, unsigned columns) : rows(rows), columns(columns) {
        row = blockIdx.y * ROWS + threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
        column = blockIdx.x * COLUMNS + threadIdx.x % 4 * 2;
    }
    __device__ unsigned row_of(unsigned i) const {
        return row + i / 2 % 2 * 8;
    }
    __device__ unsigned column_of(unsigned i) const {
        return column + i / 4 * 8 + i % 2;
    }
    __device__ bool has(unsigned i) const {
        return row_of(i) < rows && column_of(i) < columns;
    }
    __device__ size_t at(unsigned i) const {
        return size_t(row_of(i)) * columns + column_of(i);
    }
};

#define MAP const __grid_constant__ CUtensorMap

extern "C" __global__ void product_broken(MAP a, MAP b, float* out, unsigned rows, unsigned columns, unsigned tiles) {
    __shared__ Ring<2> ring;
    init(ring);
    if (threadIdx.x == GROUP) fill(ring, &a, &b, tiles);
    if (threadIdx.x >= GROUP) return;
    const Place own(rows, columns);
    float d[SUMS];
    for (unsigned i = 0; i < SUMS; i++) d[i] = own.has(i) ? out[own.at(i)] : 0;
    for (unsigned k = 0; k < tiles; k++) {
        const unsigned s = k % 2, round = k / 2;
        wait(&ring.full[s], round % 2);
        FENCE();
        // BUG: the stage is called empty below, while this product may still read it.
        for (unsigned i = 0; i < DEPTH; i += 16) MULTIPLY(d, ring.a[s] + i, ring.b[s] + i);
        COMMIT();
        WAIT_GROUP(1);
        if (threadIdx.x % 32 == 0) ptx::mbarrier_arrive(&ring.empty[s]);
    }
    WAIT_GROUP(0);
    for (unsigned i = 0; i < SUMS; i++) if (own.has(i)) out[own.at(i)] = d[i];
}

extern "C" __global__ void product_early(MAP a, MAP b, float* out, unsigned rows, unsigned columns, unsigned tiles) {
    __shared__ Ring<2> ring;
    init(ring);
    if (threadIdx.x == GROUP) fill(ring, &a, &b, tiles);
    if (threadIdx.x >= GROUP) return;
    const Place own(rows, columns);
    float d[SUMS];
    for (unsigned i = 0; i < SUMS; i++) d[i] = own.has(i) ? out[own.at(i)] : 0;
    for (unsigned k = 0; k < tiles; k++) {
        const unsigned s = k % 2, round = k / 2;
        wait(&ring.full[s], round % 2);
        FENCE();
        for (unsigned i = 0; i < DEPTH; i += 16) MULTIPLY(d, ring.a[s] + i, ring.b[s] + i);
        COMMIT();
        WAIT_GROUP(1);
        if (k > 0 && threadIdx.x % 32 == 0) ptx::mbarrier_arrive(&ring.empty[(k - 1) % 2]);
    }
    // BUG: the last product may still be under way.
    for (unsigned i = 0; i < SUMS; i++) if (own.has(i)) out[own.at(i)] = d[i];
}

extern "C" __global__ void product_unfenced(MAP a, MAP b, float* out, unsigned rows, unsigned columns, unsigned tiles) {
    __shared__ Ring<2> ring;
    init(ring);
    if (threadIdx.x == GROUP) fill(ring, &a, &b, tiles);
    if (threadIdx.x >= GROUP) return;
    const Place own(rows, columns);
    float d[SUMS];
    for (unsigned i = 0; i < SUMS; i++) d[i] = own.has(i) ? out[own.at(i)] : 0;
    for (unsigned k = 0; k < tiles; k++) {
        const unsigned s = k % 2, round = k / 2;
        wait(&ring.full[s], round % 2);
        // BUG: the first product may find other sums in the registers than those that were loaded.
        for (unsigned i = 0; i < DEPTH; i += 16) MULTIPLY(d, ring.a[s] + i, ring.b[s] + i);
        COMMIT();
        WAIT_GROUP(1);
        if (k > 0 && threadIdx.x % 32 == 0) ptx::mbarrier_arrive(&ring.empty[(k - 1) % 2]);
    }
    WAIT_GROUP(0);
    for (unsigned i = 0; i < SUMS; i++) if (own.has(i)) out[own.at(i)] = d[i];
}

extern "C" __global__ void product_correct(MAP a, MAP b, float* out, unsigned rows, unsigned columns, unsigned tiles) {
    __shared__ Ring<2> ring;
    init(ring);
    if (threadIdx.x == GROUP) fill(ring, &a, &b, tiles);
    if (threadIdx.x >= GROUP) return;
    const Place own(rows, columns);
    float d[SUMS];
    for (unsigned i = 0; i < SUMS; i++) d[i] = own.has(i) ? out[own.at(i)] : 0;
    for (unsigned k = 0; k < tiles; k++) {
        const unsigned s = k % 2, round = k / 2;
        wait(&ring.full[s], round % 2);
        FENCE(); // FIX: the loads of the sums come before the first product.
        for (unsigned i = 0; i < DEPTH; i += 16) MULTIPLY(d, ring.a[s] + i, ring.b[s] + i);
        COMMIT();
        WAIT_GROUP(1); // One product is left, this one: the one before has read its tiles.
        if (k > 0 && threadIdx.x % 32 == 0) ptx::mbarrier_arrive(&ring.empty[(k - 1) % 2]); // FIX: that one's stage.
    }
    WAIT_GROUP(0); // FIX: the last product has added to the sums.
    for (unsigned i = 0; i < SUMS; i++) if (own.has(i)) out[own.at(i)] = d[i];
}

extern "C" __global__ void product_three(MAP a, MAP b, float* out, unsigned rows, unsigned columns, unsigned tiles) {
    __shared__ Ring<3> ring;
    init(ring);
    if (threadIdx.x == GROUP) fill(ring, &a, &b, tiles);
    if (threadIdx.x >= GROUP) return;
    const Place own(rows, columns);
    float d[SUMS];
    for (unsigned i = 0; i < SUMS; i++) d[i] = own.has(i) ? out[own.at(i)] : 0;
    for (unsigned k = 0; k < tiles; k++) {
        const unsigned s = k % 3, round = k / 3;
        wait(&ring.full[s], round % 2);
        FENCE();
        for (unsigned i = 0; i < DEPTH; i += 16) MULTIPLY(d, ring.a[s] + i, ring.b[s] + i);
        COMMIT();
        WAIT_GROUP(1);
        if (k > 0 && threadIdx.x % 32 == 0) ptx::mbarrier_arrive(&ring.empty[(k - 1) % 3]);
    }
    WAIT_GROUP(0);
    for (unsigned i = 0; i < SUMS; i++) if (own.has(i)) out[own.at(i)] = d[i];
}
