// Structures with padding, written field by field. Every third has no value.
// Most of the array was written: a note.
// notes: the host copies bytes 33 to 47 of `pairs`, which nothing has written
// prints: j 81
#include <cstdio>

struct Pair { char tag; long long value; };

__global__ void fill(Pair* pairs, int n)
{
    int i = threadIdx.x;
    if (i >= n) return;
    pairs[i].tag = 'a' + i;
    if (i % 3 != 2) pairs[i].value = i * i;
}

int main()
{
    const int n = 10;
    Pair host[n], *pairs;
    cudaMalloc(&pairs, sizeof host);
    fill<<<1, 32>>>(pairs, n);
    cudaMemcpy(host, pairs, sizeof host, cudaMemcpyDeviceToHost);
    printf("%c %lld\n", host[9].tag, host[9].value);
    cudaFree(pairs);
}
