extern "C" __global__ void accept(const int* data, const int* flag, const int* seen, int* verdict) {
    *verdict = seen[0] == 1 && seen[1] != 42;
}
