// nvcc -arch=sm_75 -rdc=true -lineinfo
// printf, assert, recursion, function pointers, a virtual call, a switch.
#include <assert.h>
#include <stdio.h>

extern __device__ int elsewhere(int, double);

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ float twice(float x) { return 2 * x; }
__device__ __noinline__ float square(float x) { return x * x; }
__device__ float (*const table[])(float) = {twice, square, twice};

struct Shape {
    __device__ virtual float area(float scale) const = 0;
};
struct Box : Shape {
    float side;
    __device__ float area(float scale) const override { return side * side * scale; }
};

struct Pair {
    double first;
    char second[9];
};
__device__ __noinline__ Pair swap(Pair p, int n) {
    p.second[n & 7] = static_cast<char>(p.first);
    p.first = n;
    return p;
}

__global__ void control(float* out, int n, const Shape* shape, Pair pair) {
    assert(n >= 0);
    printf("n %d, out %p\n", n, out);
    out[0] = fibonacci(n) + table[n % 3](out[1]) + shape->area(2.0f) + elsewhere(n, 1.0);
    pair = swap(pair, n);
    out[5] = pair.first + pair.second[2];
    switch (n) {
    case 0: out[2] = sinf(out[3]); break;
    case 1: out[3] = 1.0f / out[2]; break;
    case 2: out[4] = sqrtf(out[0]); break;
    case 3: out[7] = out[1] * 3; break;
    case 4: out[8] = __expf(out[1]); break;
    case 5: out[2] = out[1] + out[8]; break;
    case 6: printf("six\n"); break;
    case 7: out[9] = 1; __syncthreads(); break;
    case 8: out[11] = 4; __threadfence(); break;
    default: __trap();
    }
}

__global__ void make(Box* box, float side) {
    new (box) Box();
    box->side = side;
}
