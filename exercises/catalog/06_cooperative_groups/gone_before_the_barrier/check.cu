extern "C" __global__ void expected(const int* v, int n, int* most, int* below) {
    for (int i = 0; i < n; i++) *most = v[i] > *most ? v[i] : *most;
    for (int i = 0; i < n; i++) below[i] = *most - v[i];
}
