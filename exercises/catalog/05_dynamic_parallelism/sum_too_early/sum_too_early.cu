// sum_too_early: a kernel launches a child that squares elements, and adds up the squares.
//
// Given    v and squares have n ints. The host launches sum_of_squares with one thread, which launches square_all.
// Range    n is from 1 to 150; v has values from -9 to 9.
// Do       squares[i] = v[i] * v[i], one thread per element; *sum is the sum of the squares.
// Problem  The parent adds up on the line after the launch. What has the child done by then?
//
// Read     lesson05-dynamic-parallelism/README.md, "What a parent sees"; cargo learn explain race-global

extern "C" __global__ void square_all(const int* v, int n, int* squares) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) squares[i] = v[i] * v[i];
}

extern "C" __global__ void sum_of_squares(const int* v, int n, int* squares, int* sum) {
    square_all<<<(n + 63) / 64, 64>>>(v, n, squares);

    // TODO: the parent may not use what the child writes. Who may?
    int total = 0;
    for (int i = 0; i < n; i++) total += squares[i];
    *sum = total;
}
