// What a professional would call instead of our kernels: CUB and Thrust, as functions that Rust can call.
//
// Each function enqueues one call on `stream` and gives the runtime's error, 0 for none. As in CUB, a call with
// temp == nullptr only stores in *temp_bytes how much temporary memory it needs; the caller allocates that once, outside
// of what is timed. The context is the one that is current, the device's primary one. All have the same parameters; `kept`
// is used by those that keep some of the elements.

#include <cstddef>
#include <cstdint>
#include <new>

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/system_error.h>

namespace {

struct Positive {
    __host__ __device__ bool operator()(int value) const { return value > 0; }
};

// Hands out parts of one buffer, again and again: thrust asks for its temporary memory in every call.
struct OneBuffer {
    using value_type = char;
    char* memory;
    std::size_t bytes;
    std::size_t used;

    char* allocate(std::ptrdiff_t wanted) {
        const std::size_t begin = used;
        used += (static_cast<std::size_t>(wanted) + 255) / 256 * 256;
        if (memory == nullptr || used > bytes) throw std::bad_alloc();
        return memory + begin;
    }
    void deallocate(char*, std::size_t) {}
};

} // namespace

extern "C" {

// CUB_VERSION, 300001 for 3.0.1; THRUST_VERSION; and the runtime's, 13000 for 13.0.
int peers_versions(int* cub, int* thrust, int* runtime) {
    *cub = CUB_VERSION;
    *thrust = THRUST_VERSION;
    return cudaRuntimeGetVersion(runtime);
}

// Makes the runtime use the current context, and loads this file's kernels into it.
int peers_start() {
    return cudaFree(nullptr);
}

const char* peers_error(int code) {
    return cudaGetErrorString(static_cast<cudaError_t>(code));
}

int peer_sum(void* temp, std::size_t* temp_bytes, const int* v, int* result, unsigned*, std::uint32_t n,
             cudaStream_t stream) {
    return cub::DeviceReduce::Sum(temp, *temp_bytes, v, result, n, stream);
}

int peer_max(void* temp, std::size_t* temp_bytes, const int* v, int* result, unsigned*, std::uint32_t n,
             cudaStream_t stream) {
    return cub::DeviceReduce::Max(temp, *temp_bytes, v, result, n, stream);
}

// 256 bins of 32 bits: with 64-bit counters CUB is several times slower.
int peer_histogram(void* temp, std::size_t* temp_bytes, const unsigned char* bytes, unsigned* bins, unsigned*,
                   std::uint32_t n, cudaStream_t stream) {
    return cub::DeviceHistogram::HistogramEven(temp, *temp_bytes, bytes, bins, 257, 0, 256, static_cast<int>(n),
                                               stream);
}

// Values below 16384, and 16384 bins of 32 bits.
int peer_wide_histogram(void* temp, std::size_t* temp_bytes, const int* v, unsigned* bins, unsigned*, std::uint32_t n,
                        cudaStream_t stream) {
    return cub::DeviceHistogram::HistogramEven(temp, *temp_bytes, v, bins, 16385, 0, 16384, static_cast<int>(n), stream);
}

// Values below 65536, and 65536 bins of 32 bits.
int peer_large_histogram(void* temp, std::size_t* temp_bytes, const int* v, unsigned* bins, unsigned*, std::uint32_t n,
                         cudaStream_t stream) {
    return cub::DeviceHistogram::HistogramEven(temp, *temp_bytes, v, bins, 65537, 0, 65536, static_cast<int>(n), stream);
}

int peer_select_if(void* temp, std::size_t* temp_bytes, const int* src, int* dst, unsigned* kept, std::uint32_t n,
                   cudaStream_t stream) {
    return cub::DeviceSelect::If(temp, *temp_bytes, src, dst, kept, static_cast<int>(n), Positive(), stream);
}

// *kept is on the host: thrust::copy_if() waits for its end, and returns where the output ends.
int peer_copy_if(void* temp, std::size_t* temp_bytes, const int* src, int* dst, unsigned* kept, std::uint32_t n,
                 cudaStream_t stream) {
    OneBuffer buffer{static_cast<char*>(temp), *temp_bytes, 0};
    try {
        const auto policy = thrust::cuda::par_nosync(buffer).on(stream);
        const auto from = thrust::device_pointer_cast(src);
        const auto to = thrust::device_pointer_cast(dst);
        const auto end = thrust::copy_if(policy, from, from + n, to, Positive());
        *kept = static_cast<unsigned>(end - to);
        return cudaSuccess;
    } catch (const thrust::system_error& error) {
        return error.code().value();
    } catch (const std::bad_alloc&) {
        if (temp != nullptr) return cudaErrorMemoryAllocation;
        // What the first request asked for, and room for small ones after it.
        *temp_bytes = buffer.used + (1 << 20);
        return cudaSuccess;
    }
}

} // extern "C"
