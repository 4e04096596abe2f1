extern "C" __global__ void expected(int* message, int* flag, unsigned* arrivals, int* out, int n) {
    for (int i = 0; i < n; i++) {
        message[i] *= message[i];
        out[i] = out[n + i] = message[i];
    }
}
