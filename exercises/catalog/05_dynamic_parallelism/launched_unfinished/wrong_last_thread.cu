// wrong: race-global
// "If the last thread launches, the others came before it." Threads have no such order.

extern "C" __global__ void turn(const int* from, int* to) {
    to[threadIdx.x] = from[63 - threadIdx.x];
}

extern "C" __global__ void prepare(const int* v, int* doubled, int* turned) {
    const int first = blockIdx.x * 64;
    const int i = first + threadIdx.x;
    doubled[i] = 2 * v[i];
    if (threadIdx.x == 63) turn<<<1, 64>>>(doubled + first, turned + first);
}
