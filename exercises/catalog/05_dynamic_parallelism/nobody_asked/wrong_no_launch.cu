// wrong: answer
// It asks for the error of a launch that is not there.

extern "C" __global__ void square_below(int* v, int n, int threads, int* error) {
    *error = cudaGetLastError();
}
