// headers/objects.cu: objects on the heap of device code, with virtual functions and destructors.
//
// run: kernel=virtual_calls block=64 grid=2 out:s32[128] => out=[i % 2 ? i + 3 : i * 3]
// run: kernel=list_of_nodes block=64 out:s32[64] => out=[lane * (lane + 1) / 2]
// run: kernel=one_allocates block=64 grid=2 out:s32[128] => out=[63 - i % 64]

struct Shape {
    __device__ virtual ~Shape() {}
    __device__ virtual int apply(int x) const = 0;
};

struct Plus : Shape {
    int amount;
    __device__ Plus(int amount) : amount(amount) {}
    __device__ int apply(int x) const override { return x + amount; }
};

struct Times : Shape {
    int* amount;
    __device__ Times(int value) : amount(new int(value)) {}
    __device__ ~Times() override { delete amount; }
    __device__ int apply(int x) const override { return x * *amount; }
};

extern "C" __global__ void virtual_calls(int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    Shape* shape = i % 2 ? static_cast<Shape*>(new Plus(3)) : new Times(3);
    out[i] = shape->apply(i);
    delete shape;
}

struct Node {
    int value;
    Node* next;
};

extern "C" __global__ void list_of_nodes(int* out) {
    Node* first = nullptr;
    for (int value = 0; value <= static_cast<int>(threadIdx.x % 32); ++value) {
        Node* node = static_cast<Node*>(malloc(sizeof(Node)));
        if (node == nullptr) return;
        *node = {value, first};
        first = node;
    }
    int sum = 0;
    while (first != nullptr) {
        Node* next = first->next;
        sum += first->value;
        free(first);
        first = next;
    }
    out[threadIdx.x] = sum;
}

// A block's threads share what thread 0 has allocated: the barriers order allocation, use and release.
extern "C" __global__ void one_allocates(int* out) {
    __shared__ int* shared_by_all;
    if (threadIdx.x == 0) shared_by_all = new int[blockDim.x];
    __syncthreads();
    shared_by_all[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = shared_by_all[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) delete[] shared_by_all;
}
