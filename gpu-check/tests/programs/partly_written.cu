// The host copies a list whole and looks at the elements that were written: worth a note. So is an array of which the last element
// was left out.
// notes: the host copies `list[4]` to `list[7]`, which nothing has written
// notes: the host copies `out[99]`, which nothing has written
// prints: 12, 99 differences

#include <cstdio>

__global__ void evens(int *list, int *found) {
    if (threadIdx.x % 2 == 0) {
        list[atomicAdd(found, 1)] = threadIdx.x;
    }
}

__global__ void differences(const int *in, int *out, int n) {
    const int i = threadIdx.x;
    if (i < n - 1) out[i] = in[i + 1] - in[i];
}

int main() {
    int *list, *found, *in, *out, host[8], values[100], n, sum = 0;
    cudaMalloc(&list, sizeof host);
    cudaMalloc(&found, sizeof n);
    cudaMemset(found, 0, sizeof n);
    evens<<<1, 8>>>(list, found);
    cudaMemcpy(&n, found, sizeof n, cudaMemcpyDeviceToHost);
    cudaMemcpy(host, list, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) sum += host[i];
    printf("%d, ", sum);

    for (int i = 0; i < 100; i++) values[i] = i;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, sizeof values);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    differences<<<1, 128>>>(in, out, 100);
    cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
    sum = 0;
    for (int i = 0; i < 99; i++) sum += values[i];
    printf("%d differences\n", sum);
}
