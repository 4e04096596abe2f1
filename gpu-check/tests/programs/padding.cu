// Structures with padding, written field by field, copied by a kernel and by the host.
// prints: j 81 j 81 1 2
#include <cstdio>

struct Pair { char tag; long long value; };
struct Sum { double total; int count; };
struct Small { char a; short b; };

__global__ void fill(Pair* pairs, Small* small, int n)
{
    int i = threadIdx.x;
    if (i >= n) return;
    pairs[i].tag = 'a' + i;
    pairs[i].value = i * i;
    small[i].b = i;
    __threadfence_block();
    small[i].a = i;
}

__global__ void copy(const Pair* from, Pair* to, int n)
{
    int i = threadIdx.x;
    // Word by word, as a library copies what it does not know: the padding comes along.
    const longlong2* words = (const longlong2*)from;
    if (i < n) ((longlong2*)to)[i] = words[i];
}

__global__ void one(Sum* sum)
{
    sum->total = 1;
    sum->count = 2;
}

int main()
{
    const int n = 10;
    Pair host[n], *pairs, *copied, *again;
    Small host_small[n], *small;
    Sum host_sum, *sum;
    cudaMalloc(&pairs, sizeof host);
    cudaMalloc(&copied, sizeof host);
    cudaMalloc(&again, sizeof host);
    cudaMalloc(&small, sizeof host_small);
    cudaMalloc(&sum, sizeof host_sum);
    fill<<<1, 32>>>(pairs, small, n);
    copy<<<1, 32>>>(pairs, copied, n);
    one<<<1, 1>>>(sum);
    cudaMemcpy(again, copied, sizeof host, cudaMemcpyDeviceToDevice);
    cudaMemcpy(host_small, small, sizeof host_small, cudaMemcpyDeviceToHost);
    cudaMemcpy(host, pairs, sizeof host, cudaMemcpyDeviceToHost);
    printf("%c %lld\n", host[9].tag, host[9].value);
    cudaMemcpy(host, again, sizeof host, cudaMemcpyDeviceToHost);
    printf("%c %lld\n", host[9].tag, host[9].value);
    cudaMemcpy(again, pairs, sizeof host, cudaMemcpyDeviceToDevice);
    cudaMemcpy(host, again, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(&host_sum, sum, sizeof host_sum, cudaMemcpyDeviceToHost);
    printf("%g %d\n", host_sum.total, host_sum.count);
    cudaFree(pairs);
    cudaFree(copied);
    cudaFree(again);
    cudaFree(small);
    cudaFree(sum);
}
