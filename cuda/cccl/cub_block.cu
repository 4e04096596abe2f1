// Arch: sm_80
// cccl/cub_block.cu: CUB's collectives of a block, by each of their algorithms.
//
// run: kernel=reduce_raking block=128 in:s32=[i*3-50] out:s32[1] => out=[3*127*64-50*128]
// run: kernel=reduce_commutative block=128 in:s32=[i*3-50] out:s32[1] => out=[3*127*64-50*128]
// run: kernel=reduce_warps block=128 in:s32=[i*3-50] out:s32[1] => out=[3*127*64-50*128]
// run: kernel=reduce_warps block=128 grid=3 in:s32[384]=[i] out:s32[3] => out=[i*128*128+127*64]
// run: kernel=reduce_odd block=100 in:s32=[i] out:s32[1] => out=[99*50]
// run: kernel=reduce_odd_raking block=100 in:s32=[i] out:s32[1] => out=[99*50]
// run: kernel=reduce_part block=128 n:s32=77 in:s32=[i] out:s32[1] => out=[77*38]
// run: kernel=scan_raking block=128 in:s32=[1] out:s32 => out=[i]
// run: kernel=scan_memoize block=128 in:s32=[1] out:s32 => out=[i]
// run: kernel=scan_warps block=128 in:s32=[1] out:s32 => out=[i]
// run: kernel=scan_items block=64 in:s32[256]=[2] out:s32[256] => out=[2*(i+1)]
// run: kernel=sort_keys block=64 in:s32[256]=[(i*97)%256] out:s32[256] => out=[i]
// run: kernel=sort_pairs block=64 in:u32[256]=[255-i] out:s32[256] => out=[255-i]
// run: kernel=sort_floats block=64 in:f32[256]=[(i*97)%256-100] out:f32[256] => out=[i-100]
// run: kernel=merge_sort block=64 in:s32[256]=[(i*97)%256] out:s32[256] => out=[i]
// run: kernel=exchange block=64 in:s32[256]=[i] out:s32[256] => out=[i]
// run: kernel=load_transpose block=64 in:s32[256]=[i] out:s32[256] => out=[i+1]
// run: kernel=load_warp_transpose block=64 in:s32[256]=[i] out:s32[256] => out=[i+1]
// run: kernel=load_timesliced block=64 in:s32[256]=[i] out:s32[256] => out=[i+1]
// run: kernel=load_vector block=64 in:s32[256]=[i] out:s32[256] => out=[i+1]
// run: kernel=histogram_sort block=64 in:u8[256]=[i%8] out:s32[8] => out=[32]
// run: kernel=histogram_atomic block=64 in:u8[256]=[i%8] out:s32[8] => out=[32]
// run: kernel=heads block=128 in:s32=[i/5] out:s32 => out=[i%5==0]
// run: kernel=difference block=128 in:s32=[i*i] out:s32 => out=[i==0 ? 0 : 2*i-1]
// run: kernel=neighbour block=128 in:s32=[i] out:s32 => out=[i==127 ? -1 : i+1]
// run: kernel=run_lengths block=32 lengths:u32=[1 + i%3] out:s32[63] => out[0..4]=[0, 1, 1, 2]
// run: kernel=reuse_without_barrier block=128 in:s32=[i] out:s32[2] => finding=race-shared
#include <cub/block/block_shuffle.cuh>
#include <cub/cub.cuh>

template <cub::BlockReduceAlgorithm Algorithm, int Threads>
__device__ void reduce(const int* in, int* out, int n = -1) {
    using Reduce = cub::BlockReduce<int, Threads, Algorithm>;
    __shared__ typename Reduce::TempStorage scratch;
    int mine = in[blockIdx.x * Threads + threadIdx.x];
    int total = n < 0 ? Reduce(scratch).Sum(mine) : Reduce(scratch).Sum(mine, n);
    if (threadIdx.x == 0) out[blockIdx.x] = total;
}
extern "C" __global__ void reduce_raking(const int* in, int* out) { reduce<cub::BLOCK_REDUCE_RAKING, 128>(in, out); }
extern "C" __global__ void reduce_commutative(const int* in, int* out) { reduce<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, 128>(in, out); }
extern "C" __global__ void reduce_warps(const int* in, int* out) { reduce<cub::BLOCK_REDUCE_WARP_REDUCTIONS, 128>(in, out); }
extern "C" __global__ void reduce_odd(const int* in, int* out) { reduce<cub::BLOCK_REDUCE_WARP_REDUCTIONS, 100>(in, out); }
extern "C" __global__ void reduce_odd_raking(const int* in, int* out) { reduce<cub::BLOCK_REDUCE_RAKING, 100>(in, out); }
extern "C" __global__ void reduce_part(int n, const int* in, int* out) { reduce<cub::BLOCK_REDUCE_WARP_REDUCTIONS, 128>(in, out, n); }

template <cub::BlockScanAlgorithm Algorithm>
__device__ void scan(const int* in, int* out) {
    using Scan = cub::BlockScan<int, 128, Algorithm>;
    __shared__ typename Scan::TempStorage scratch;
    int mine = in[threadIdx.x], before;
    Scan(scratch).ExclusiveSum(mine, before);
    out[threadIdx.x] = before;
}
extern "C" __global__ void scan_raking(const int* in, int* out) { scan<cub::BLOCK_SCAN_RAKING>(in, out); }
extern "C" __global__ void scan_memoize(const int* in, int* out) { scan<cub::BLOCK_SCAN_RAKING_MEMOIZE>(in, out); }
extern "C" __global__ void scan_warps(const int* in, int* out) { scan<cub::BLOCK_SCAN_WARP_SCANS>(in, out); }
extern "C" __global__ void scan_items(const int* in, int* out) {
    using Scan = cub::BlockScan<int, 64>;
    __shared__ typename Scan::TempStorage scratch;
    int mine[4];
    cub::LoadDirectBlocked(threadIdx.x, in, mine);
    Scan(scratch).InclusiveSum(mine, mine);
    cub::StoreDirectBlocked(threadIdx.x, out, mine);
}
extern "C" __global__ void sort_keys(const int* in, int* out) {
    using Sort = cub::BlockRadixSort<int, 64, 4>;
    __shared__ typename Sort::TempStorage scratch;
    int mine[4];
    cub::LoadDirectBlocked(threadIdx.x, in, mine);
    Sort(scratch).Sort(mine);
    cub::StoreDirectBlocked(threadIdx.x, out, mine);
}
extern "C" __global__ void sort_pairs(const unsigned* in, int* out) {
    using Sort = cub::BlockRadixSort<unsigned, 64, 4, int>;
    __shared__ typename Sort::TempStorage scratch;
    unsigned keys[4];
    int values[4];
    cub::LoadDirectBlocked(threadIdx.x, in, keys);
    for (int k = 0; k < 4; ++k) values[k] = threadIdx.x * 4 + k;
    Sort(scratch).SortBlockedToStriped(keys, values);
    cub::StoreDirectStriped<64>(threadIdx.x, out, values);
}
extern "C" __global__ void sort_floats(const float* in, float* out) {
    using Sort = cub::BlockRadixSort<float, 64, 4>;
    __shared__ typename Sort::TempStorage scratch;
    float mine[4];
    cub::LoadDirectBlocked(threadIdx.x, in, mine);
    Sort(scratch).Sort(mine);
    cub::StoreDirectBlocked(threadIdx.x, out, mine);
}
struct Less { __device__ bool operator()(int a, int b) const { return a < b; } };
extern "C" __global__ void merge_sort(const int* in, int* out) {
    using Sort = cub::BlockMergeSort<int, 64, 4>;
    __shared__ typename Sort::TempStorage scratch;
    int mine[4];
    cub::LoadDirectBlocked(threadIdx.x, in, mine);
    Sort(scratch).Sort(mine, Less{});
    cub::StoreDirectBlocked(threadIdx.x, out, mine);
}
extern "C" __global__ void exchange(const int* in, int* out) {
    using Exchange = cub::BlockExchange<int, 64, 4>;
    __shared__ typename Exchange::TempStorage scratch;
    int mine[4];
    cub::LoadDirectStriped<64>(threadIdx.x, in, mine);
    Exchange(scratch).StripedToBlocked(mine, mine);
    cub::StoreDirectBlocked(threadIdx.x, out, mine);
}
template <cub::BlockLoadAlgorithm L, cub::BlockStoreAlgorithm S>
__device__ void through(int* in, int* out) {
    using Load = cub::BlockLoad<int, 64, 4, L>;
    using Store = cub::BlockStore<int, 64, 4, S>;
    __shared__ union { typename Load::TempStorage load; typename Store::TempStorage store; } scratch;
    int mine[4];
    Load(scratch.load).Load(in, mine);
    for (int& m : mine) ++m;
    __syncthreads();
    Store(scratch.store).Store(out, mine);
}
extern "C" __global__ void load_transpose(int* in, int* out) { through<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE>(in, out); }
extern "C" __global__ void load_warp_transpose(int* in, int* out) { through<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>(in, out); }
extern "C" __global__ void load_timesliced(int* in, int* out) { through<cub::BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED, cub::BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED>(in, out); }
extern "C" __global__ void load_vector(int* in, int* out) { through<cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE>(in, out); }
template <cub::BlockHistogramAlgorithm A>
__device__ void histogram(const unsigned char* in, int* out) {
    using Histogram = cub::BlockHistogram<unsigned char, 64, 4, 8, A>;
    __shared__ typename Histogram::TempStorage scratch;
    __shared__ int bins[8];
    unsigned char mine[4];
    cub::LoadDirectBlocked(threadIdx.x, in, mine);
    Histogram(scratch).Histogram(mine, bins);
    __syncthreads();
    if (threadIdx.x < 8) out[threadIdx.x] = bins[threadIdx.x];
}
extern "C" __global__ void histogram_sort(const unsigned char* in, int* out) { histogram<cub::BLOCK_HISTO_SORT>(in, out); }
extern "C" __global__ void histogram_atomic(const unsigned char* in, int* out) { histogram<cub::BLOCK_HISTO_ATOMIC>(in, out); }
struct Differs { __device__ bool operator()(int a, int b) const { return a != b; } };
extern "C" __global__ void heads(const int* in, int* out) {
    using Heads = cub::BlockDiscontinuity<int, 128>;
    __shared__ typename Heads::TempStorage scratch;
    int mine[1] = {in[threadIdx.x]}, flag[1];
    Heads(scratch).FlagHeads(flag, mine, Differs{});
    out[threadIdx.x] = flag[0];
}
struct Minus { __device__ int operator()(int a, int b) const { return a - b; } };
extern "C" __global__ void difference(const int* in, int* out) {
    using Difference = cub::BlockAdjacentDifference<int, 128>;
    __shared__ typename Difference::TempStorage scratch;
    int mine[1] = {in[threadIdx.x]}, result[1];
    Difference(scratch).SubtractLeft(mine, result, Minus{});
    out[threadIdx.x] = result[0];
}
extern "C" __global__ void neighbour(const int* in, int* out) {
    using Shuffle = cub::BlockShuffle<int, 128>;
    __shared__ typename Shuffle::TempStorage scratch;
    int mine = in[threadIdx.x], next = -1;
    Shuffle(scratch).Offset(mine, next, 1);
    out[threadIdx.x] = next;
}
extern "C" __global__ void run_lengths(const unsigned* lengths, int* out) {
    using Decode = cub::BlockRunLengthDecode<int, 32, 1, 2>;
    __shared__ typename Decode::TempStorage scratch;
    int values[1] = {static_cast<int>(threadIdx.x)};
    unsigned counts[1] = {lengths[threadIdx.x]}, total = 0;
    Decode decode(scratch, values, counts, total);
    int items[2];
    decode.RunLengthDecode(items, 0);
    for (int k = 0; k < 2; ++k) if (threadIdx.x * 2 + k < 63 && threadIdx.x * 2 + k < total) out[threadIdx.x * 2 + k] = items[k];
}
// Scratch memory that is used again needs a barrier between the two uses.
extern "C" __global__ void reuse_without_barrier(const int* in, int* out) {
    using Reduce = cub::BlockReduce<int, 128>;
    __shared__ typename Reduce::TempStorage scratch;
    int a = Reduce(scratch).Sum(in[threadIdx.x]);
    int b = Reduce(scratch).Sum(in[threadIdx.x] * 2);
    if (threadIdx.x == 0) out[0] = a, out[1] = b;
}
