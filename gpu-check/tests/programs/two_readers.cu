// Two streams read a word, and the second one writes it once the reader in the first one is done.
// prints: 0 0
#include <cstdio>

__global__ void twice(const int* word, int* to)
{
    *to = 2 * *word;
}

__global__ void step(int* word)
{
    *word = 7;
}

int main()
{
    int *word, *results, result[2];
    cudaMalloc(&word, sizeof(int));
    cudaMalloc(&results, 2 * sizeof(int));
    cudaMemset(word, 0, sizeof(int));
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEvent_t read;
    cudaEventCreateWithFlags(&read, cudaEventDisableTiming);
    cudaDeviceSynchronize();
    twice<<<1, 1, 0, first>>>(word, results);
    cudaEventRecord(read, first);
    twice<<<1, 1, 0, second>>>(word, results + 1);
    cudaStreamWaitEvent(second, read, 0);
    step<<<1, 1, 0, second>>>(word);
    cudaDeviceSynchronize();
    cudaMemcpy(result, results, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d %d\n", result[0], result[1]);
    cudaEventDestroy(read);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFree(word);
    cudaFree(results);
}
