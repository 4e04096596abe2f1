extern "C" __global__ void expected(const int* in, int* next, int* tickets, int n) {
    for (int i = 0; i < n; i++) {
        if (in[i] > 0) tickets[i] = (*next)++;
    }
}
