// sum_too_early.cu: a kernel that has another one do the squaring, and adds up.
//
// Given     v and squares have n ints. The host launches sum_of_squares with one thread; that launches square_all.
// Wanted    squares[i] = v[i] * v[i], by a thread for each; *sum is the sum of the squares.
// Trouble   The parent adds up on the line behind the launch. What has the child done by then?
//
// Read on   lesson05-dynamic-parallelism/README.md, "What a parent sees"; cargo learn explain race-global

extern "C" __global__ void square_all(const int* v, int n, int* squares) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) squares[i] = v[i] * v[i];
}

extern "C" __global__ void sum_of_squares(const int* v, int n, int* squares, int* sum) {
    square_all<<<(n + 63) / 64, 64>>>(v, n, squares);

    // TODO: nothing here may depend on what the child has done. Who may?
    int total = 0;
    for (int i = 0; i < n; i++) total += squares[i];
    *sum = total;
}
