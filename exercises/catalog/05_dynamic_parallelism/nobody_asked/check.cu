extern "C" __global__ void expected(int* v, int n, int* error) {
    for (int i = 0; i < n; i++) v[i] *= v[i];
    *error = 0;
}
