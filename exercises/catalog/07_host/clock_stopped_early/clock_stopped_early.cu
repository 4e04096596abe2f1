extern "C" __global__ void squares(int* sum, int n) {
    for (int i = 0; i < n; i++) *sum += i * i;
}
