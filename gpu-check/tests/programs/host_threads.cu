// Four threads of the host, each with a stream, a buffer and an event of its own.
// prints: 4 threads, 0 errors, sums right
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

__global__ void square(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * in[i];
}

std::atomic<int> errors{0};

void count(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        errors++;
    }
}

void work(int id, long* sum)
{
    const int n = 256;
    int *pinned, *in, *out;
    cudaStream_t stream;
    cudaEvent_t done;
    count(cudaSetDevice(0));
    count(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    count(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    count(cudaMallocHost(&pinned, n * sizeof(int)));
    count(cudaMalloc(&in, n * sizeof(int)));
    count(cudaMalloc(&out, n * sizeof(int)));
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < n; i++) pinned[i] = id + round;
        count(cudaMemcpyAsync(in, pinned, n * sizeof(int), cudaMemcpyHostToDevice, stream));
        square<<<n / 128, 128, 0, stream>>>(in, out, n);
        count(cudaGetLastError());
        count(cudaMemcpyAsync(pinned, out, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
        count(cudaEventRecord(done, stream));
        count(cudaEventSynchronize(done));
        for (int i = 0; i < n; i++) *sum += pinned[i];
    }
    count(cudaFree(in));
    count(cudaFree(out));
    count(cudaFreeHost(pinned));
    count(cudaEventDestroy(done));
    count(cudaStreamDestroy(stream));
}

int main()
{
    std::vector<std::thread> threads;
    long sums[4] = {};
    for (int id = 0; id < 4; id++) threads.emplace_back(work, id, &sums[id]);
    for (auto& thread : threads) thread.join();
    bool right = true;
    for (long id = 0; id < 4; id++) {
        long want = 0;
        for (long round = 0; round < 4; round++) want += 256 * (id + round) * (id + round);
        right = right && sums[id] == want;
    }
    printf("4 threads, %d errors, sums %s\n", errors.load(), right ? "right" : "wrong");
}
