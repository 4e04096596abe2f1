// Arch: sm_80
// cccl/cub_warp.cu: CUB's collectives of a warp and of parts of one, and its scan of a grid in one pass.
//
// run: kernel=warp_reduce block=64 in:s32=[i] out:s32[2] => out=[i*32*32+31*16]
// run: kernel=warp_reduce_8 block=64 in:s32=[i] out:s32[8] => out=[i*64+28]
// run: kernel=warp_reduce_5 block=5 in:s32=[i] out:s32[1] => out=[10]
// run: kernel=warp_head block=32 in:s32=[1] out:s32 => out=[i%4==0 ? 4 : -1]
// run: kernel=warp_scan block=64 in:s32=[1] out:s32 => out=[i%32]
// run: kernel=warp_scan_8 block=64 in:s32=[1] out:s32 => out=[i%8+1]
// run: kernel=warp_scan_max block=32 in:f64=[(i*7)%32] out:f64 => out[0]=0 out[1]=7 out[31]=31
// run: kernel=warp_sort block=32 in:s32[128]=[(i*37)%64] out:s32[128] => out=[i%64]
// run: kernel=warp_exchange block=32 in:s32[128]=[i] out:s32[128] => out=[i]
// run: kernel=warp_reduce_double3 block=32 in:f64=[i] out:f64[3] => out=[496*(i+1)]
// run: kernel=shuffle_64 block=32 in:u64=[i*4294967297] out:u64 => out=[(31-i)*4294967297]
// run: kernel=look_back grid=12 block=128 tiles:u64[64]=[i<32 ? 0 : 99] in:s32[1536]=[1] out:s32[1536] => out=[i+1]
#include <cub/cub.cuh>
extern "C" __global__ void warp_reduce(const int* in, int* out) {
    using Reduce = cub::WarpReduce<int>;
    __shared__ typename Reduce::TempStorage scratch[2];
    int total = Reduce(scratch[threadIdx.x / 32]).Sum(in[threadIdx.x]);
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = total;
}
extern "C" __global__ void warp_reduce_8(const int* in, int* out) {
    using Reduce = cub::WarpReduce<int, 8>;
    __shared__ typename Reduce::TempStorage scratch[8];
    int total = Reduce(scratch[threadIdx.x / 8]).Sum(in[threadIdx.x]);
    if (threadIdx.x % 8 == 0) out[threadIdx.x / 8] = total;
}
extern "C" __global__ void warp_reduce_5(const int* in, int* out) {
    using Reduce = cub::WarpReduce<int, 5>;
    __shared__ typename Reduce::TempStorage scratch[6];
    int total = Reduce(scratch[threadIdx.x / 5]).Sum(in[threadIdx.x]);
    if (threadIdx.x % 5 == 0) out[threadIdx.x / 5] = total;
}
extern "C" __global__ void warp_head(const int* in, int* out) {
    using Reduce = cub::WarpReduce<int>;
    __shared__ typename Reduce::TempStorage scratch;
    int total = Reduce(scratch).HeadSegmentedSum(in[threadIdx.x], threadIdx.x % 4 == 0);
    out[threadIdx.x] = threadIdx.x % 4 == 0 ? total : -1;
}
extern "C" __global__ void warp_scan(const int* in, int* out) {
    using Scan = cub::WarpScan<int>;
    __shared__ typename Scan::TempStorage scratch[2];
    int before;
    Scan(scratch[threadIdx.x / 32]).ExclusiveSum(in[threadIdx.x], before);
    out[threadIdx.x] = before;
}
extern "C" __global__ void warp_scan_8(const int* in, int* out) {
    using Scan = cub::WarpScan<int, 8>;
    __shared__ typename Scan::TempStorage scratch[8];
    int upto;
    Scan(scratch[threadIdx.x / 8]).InclusiveSum(in[threadIdx.x], upto);
    out[threadIdx.x] = upto;
}
struct Most { __device__ double operator()(double a, double b) const { return a > b ? a : b; } };
extern "C" __global__ void warp_scan_max(const double* in, double* out) {
    using Scan = cub::WarpScan<double>;
    __shared__ typename Scan::TempStorage scratch;
    double upto;
    Scan(scratch).InclusiveScan(in[threadIdx.x], upto, Most{});
    out[threadIdx.x] = upto;
}
struct Less { __device__ bool operator()(int a, int b) const { return a < b; } };
extern "C" __global__ void warp_sort(const int* in, int* out) {
    using Sort = cub::WarpMergeSort<int, 4, 16>;
    __shared__ typename Sort::TempStorage scratch[2];
    int mine[4];
    for (int k = 0; k < 4; ++k) mine[k] = in[threadIdx.x * 4 + k];
    Sort(scratch[threadIdx.x / 16]).Sort(mine, Less{});
    for (int k = 0; k < 4; ++k) out[threadIdx.x * 4 + k] = mine[k];
}
extern "C" __global__ void warp_exchange(const int* in, int* out) {
    using Exchange = cub::WarpExchange<int, 4>;
    __shared__ typename Exchange::TempStorage scratch;
    int mine[4];
    for (int k = 0; k < 4; ++k) mine[k] = in[threadIdx.x + 32 * k];
    Exchange(scratch).StripedToBlocked(mine, mine);
    for (int k = 0; k < 4; ++k) out[threadIdx.x * 4 + k] = mine[k];
}
struct Three { double a, b, c; };
struct Add { __device__ Three operator()(Three x, Three y) const { return {x.a + y.a, x.b + y.b, x.c + y.c}; } };
extern "C" __global__ void warp_reduce_double3(const double* in, double* out) {
    using Reduce = cub::WarpReduce<Three>;
    __shared__ typename Reduce::TempStorage scratch;
    double x = in[threadIdx.x];
    Three total = Reduce(scratch).Reduce({x, 2 * x, 3 * x}, Add{});
    if (threadIdx.x == 0) out[0] = total.a, out[1] = total.b, out[2] = total.c;
}
extern "C" __global__ void shuffle_64(const unsigned long long* in, unsigned long long* out) {
    out[threadIdx.x] = cub::ShuffleIndex<32>(in[threadIdx.x], 31 - threadIdx.x, 0xffffffffu);
}

// One pass over the input: a block publishes its sum, and looks back at what the blocks before it have published. A tile's
// state and its sum are one access of two elements, relaxed, and no fence stands between: that such an access is never
// torn is what the algorithm rests on.
__device__ unsigned next_tile = 0;
extern "C" __global__ void look_back(unsigned long long* tiles, const int* in, int* out) {
    using State = cub::ScanTileState<int>;
    using Scan = cub::BlockScan<int, 128>;
    using Before = cub::TilePrefixCallbackOp<int, cuda::std::plus<int>, State>;
    __shared__ typename Scan::TempStorage scan;
    __shared__ typename Before::TempStorage before_scratch;
    __shared__ int tile;
    if (threadIdx.x == 0) tile = atomicAdd(&next_tile, 1);
    __syncthreads();
    State state;
    state.Init(gridDim.x, tiles, 512);
    const int i = tile * 128 + threadIdx.x;
    int upto;
    if (tile == 0) {
        int total;
        Scan(scan).InclusiveSum(in[i], upto, total);
        if (threadIdx.x == 0) state.SetInclusive(0, total);
    } else {
        Before before(state, before_scratch, cuda::std::plus<int>{}, tile);
        Scan(scan).InclusiveSum(in[i], upto, before);
    }
    out[i] = upto;
}
