// A bounded stack of values in device memory, for kernels of any file.
#pragma once
#include <cstdio>

extern __device__ int pushes;

template <typename T, int CAPACITY> class Stack {
public:
    __device__ void push(T value)
    {
        int place = atomicAdd(&size, 1);
        if (place < CAPACITY) items[place] = value;
#ifdef ATOMIC
        atomicAdd(&pushes, 1);
#else
        pushes++;
#endif
    }
    __host__ T sum() const
    {
        T all = 0;
        for (int i = 0; i < size; i++) all += items[i];
        return all;
    }
    int size = 0;
    T items[CAPACITY];
};

using Longs = Stack<long, 256>;
__global__ void push_odd(Longs* stack, int n);
