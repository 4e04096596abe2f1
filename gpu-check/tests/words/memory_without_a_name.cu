// No argument leads to the memory: a structure has the pointer, behind another member.
// says: data race on byte 0 of an allocation of 128 bytes: no order between `add` and a fill
// says: (1) thread 0 (warp 0) writes it in `add`
// dice: condición de carrera en el byte 0, en una reserva de 128 bytes
#include <cstdio>
struct Both {
    int count;
    int *a;
};
__global__ void add(Both both) { both.a[threadIdx.x] = 7; }
int main() {
    int *a;
    cudaStream_t s, t;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaMalloc(&a, 128);
    add<<<1, 32, 0, s>>>(Both{32, a});
    cudaMemsetAsync(a, 0, 128, t);
    cudaDeviceSynchronize();
}
