// part of: two_runtimes.cu
__global__ void twice(int* value) { *value *= 2; }

extern "C" void twice_on_the_device(int* value) { twice<<<1, 1>>>(value); }
