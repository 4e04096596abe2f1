// The check of each call, and random bits that are the same in each run.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                             \
    do {                                                                                        \
        cudaError_t error = (call);                                                             \
        if (error != cudaSuccess) {                                                             \
            printf("%s:%d: %s\n", #call, __LINE__, cudaGetErrorName(error));                    \
            exit(1);                                                                            \
        }                                                                                       \
    } while (0)

uint32_t state;

uint32_t random_bits()
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}
