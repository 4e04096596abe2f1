// Breadth-first search, a launch per level. Threads take their place in the next frontier with a plain counter.
// finds: race-global at 30
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <vector>

#define CUDA_SAFE_CALL(call)                                                       \
    {                                                                              \
        cudaError_t err = call;                                                    \
        if (cudaSuccess != err) {                                                  \
            fprintf(stderr, "line %i: %s.\n", __LINE__, cudaGetErrorString(err));  \
            exit(EXIT_FAILURE);                                                    \
        }                                                                          \
    }

struct Graph { // compressed rows
    std::vector<int> first, neighbour;
};

__global__ void expand(const int* first, const int* neighbour, const int* frontier, int size, int* level, int depth,
                       int* next, int* next_size)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= size) return;
    int u = frontier[t];
    for (int e = first[u]; e < first[u + 1]; e++) {
        int v = neighbour[e];
        if (atomicCAS(&level[v], -1, depth) == -1)
            next[(*next_size)++] = v;
    }
}

int main()
{
    const int n = 200;
    Graph g;
    for (int v = 0; v < n; v++) {
        g.first.push_back((int)g.neighbour.size());
        for (int k = 1; k <= 4; k++) g.neighbour.push_back((v * 4 + k) % n);
    }
    g.first.push_back((int)g.neighbour.size());

    int *first, *neighbour, *frontier, *next, *level, *next_size;
    CUDA_SAFE_CALL(cudaMalloc(&first, (n + 1) * sizeof(int)));
    CUDA_SAFE_CALL(cudaMalloc(&neighbour, 4 * n * sizeof(int)));
    CUDA_SAFE_CALL(cudaMalloc(&frontier, n * sizeof(int)));
    CUDA_SAFE_CALL(cudaMalloc(&next, n * sizeof(int)));
    CUDA_SAFE_CALL(cudaMalloc(&level, n * sizeof(int)));
    CUDA_SAFE_CALL(cudaMalloc(&next_size, sizeof(int)));
    CUDA_SAFE_CALL(cudaMemcpy(first, g.first.data(), (n + 1) * sizeof(int), cudaMemcpyHostToDevice));
    CUDA_SAFE_CALL(cudaMemcpy(neighbour, g.neighbour.data(), 4 * n * sizeof(int), cudaMemcpyHostToDevice));
    CUDA_SAFE_CALL(cudaMemset(level, -1, n * sizeof(int)));
    CUDA_SAFE_CALL(cudaMemset(level, 0, sizeof(int)));
    CUDA_SAFE_CALL(cudaMemset(frontier, 0, n * sizeof(int)));
    CUDA_SAFE_CALL(cudaMemset(next, 0, n * sizeof(int)));

    int size = 1;
    for (int depth = 1; size > 0; depth++) {
        CUDA_SAFE_CALL(cudaMemset(next_size, 0, sizeof(int)));
        expand<<<(size + 63) / 64, 64>>>(first, neighbour, frontier, size, level, depth, next, next_size);
        CUDA_SAFE_CALL(cudaGetLastError());
        CUDA_SAFE_CALL(cudaMemcpy(&size, next_size, sizeof(int), cudaMemcpyDeviceToHost));
        std::swap(frontier, next);
    }

    std::vector<int> got(n), want(n, -1);
    CUDA_SAFE_CALL(cudaMemcpy(got.data(), level, n * sizeof(int), cudaMemcpyDeviceToHost));
    std::queue<int> todo({0});
    want[0] = 0;
    int reached = 0;
    for (; !todo.empty(); todo.pop(), reached++)
        for (int u = todo.front(), e = g.first[u]; e < g.first[u + 1]; e++)
            if (want[g.neighbour[e]] == -1) {
                want[g.neighbour[e]] = want[u] + 1;
                todo.push(g.neighbour[e]);
            }
    printf("reached %d of %d, levels %s\n", reached, n, got == want ? "OK" : "WRONG");
    for (int* p : {first, neighbour, frontier, next, level, next_size}) CUDA_SAFE_CALL(cudaFree(p));
}
