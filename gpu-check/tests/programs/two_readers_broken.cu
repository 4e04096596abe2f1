// Two streams read a word, and the second one then writes it. It does not wait for the reader in the first one.
// finds: race-global at 7, 12
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
    cudaDeviceSynchronize();
    twice<<<1, 1, 0, first>>>(word, results);
    twice<<<1, 1, 0, second>>>(word, results + 1);
    step<<<1, 1, 0, second>>>(word);
    cudaDeviceSynchronize();
    cudaMemcpy(result, results, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d %d\n", result[0], result[1]);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFree(word);
    cudaFree(results);
}
