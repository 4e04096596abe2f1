// A device function's address is good in any kernel for as long as the module is there: stored by an earlier launch, kept in a
// table, and passed by the host, as in CUDA's sample FunctionPointers.
// prints: stored 20, beside 20030, table 20, passed 11 30
#include <cstdio>

typedef int (*Function)(int);
__device__ int one(int x) { return x + 1; }
__device__ int two(int x) { return x * 2; }
__device__ int three(int x) { return x * 3; }
__device__ Function table[3];
__device__ Function given_one = one;
__device__ Function given_three = three;

__global__ void address_of_two(Function *out) { *out = two; }
__global__ void fill() { table[0] = three; table[1] = two; table[2] = one; }
__global__ void call(int *out, Function given) { *out = given(10); }
__global__ void call_beside(int *out, Function given, int which) {
    Function mine[2] = {one, three};
    *out = given(10) * 1000 + mine[which](10);
}
__global__ void call_table(int *out, int which) { *out = table[which](10); }

static int *out;
static int result() {
    int host = 0;
    cudaMemcpy(&host, out, 4, cudaMemcpyDeviceToHost);
    return host;
}

int main() {
    Function f = nullptr, g = nullptr, *stored;
    cudaMalloc(&out, 4);
    cudaMalloc(&stored, 8);
    address_of_two<<<1, 1>>>(stored);
    cudaMemcpy(&f, stored, 8, cudaMemcpyDeviceToHost);
    call<<<1, 1>>>(out, f);
    printf("stored %d, ", result());
    call_beside<<<1, 1>>>(out, f, 1);
    printf("beside %d, ", result());
    fill<<<1, 1>>>();
    call_table<<<1, 1>>>(out, 1);
    printf("table %d, ", result());
    cudaMemcpyFromSymbol(&f, given_one, sizeof f);
    cudaMemcpyFromSymbol(&g, given_three, sizeof g);
    call<<<1, 1>>>(out, f);
    printf("passed %d ", result());
    call<<<1, 1>>>(out, g);
    printf("%d\n", result());
}
