// wrong: undefined-value
// A limit in place of `while (true)`: two blocks with twelve tickets each do 1408 elements at most.

extern "C" __global__ void square_tiles(const int* v, int n, int* squares, int* next) {
    __shared__ int ticket;

    for (int round = 0; round < 12; round++) {
        if (threadIdx.x == 0) ticket = atomicAdd(next, 1);
        __syncthreads();
        const int mine = ticket;
        __syncthreads();
        if (mine * 64 >= n) return;

        const int i = mine * 64 + threadIdx.x;
        if (i < n) squares[i] = v[i] * v[i];
    }
}
