// The same loop under names with letters that are not ASCII.

extern "C" __global__ void negate(const int* in, int* out, int tamaño) {
    const int número = blockIdx.x * blockDim.x + threadIdx.x;
    const int zancada_única = gridDim.x * blockDim.x;
    for (int i = número; i < tamaño; i += zancada_única) out[i] = -in[i];
}
