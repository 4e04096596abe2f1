// wrong: idle
// Without a child there is nothing to wait for: one thread does all the work.

extern "C" __global__ void sum_of_squares(const int* v, int n, int* squares, int* sum) {
    int total = 0;
    for (int i = 0; i < n; i++) {
        squares[i] = v[i] * v[i];
        total += squares[i];
    }
    *sum = total;
}
