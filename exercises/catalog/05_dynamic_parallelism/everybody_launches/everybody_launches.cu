// everybody_launches: each row that contains a full score gets a bonus of 5 on all its elements.
//
// Given    points has rows of 64 ints from 0 to 20. One block of 64 threads works on each row.
// Range    rows is from 1 to 4; points has values from 0 to 20.
// Do       If a row contains at least one 20, a child adds 5 to each of its 64 ints, once. Other rows stay as they are.
// Budget   At most one launch per row.
// Problem  Rows with a 20 get far more points than that.
//
// Read     lesson05-dynamic-parallelism/README.md, "Streams of a kernel"

extern "C" __global__ void add_bonus(int* row) {
    row[threadIdx.x] += 5;
}

extern "C" __global__ void reward(int* points, int rows) {
    int* row = points + blockIdx.x * 64;
    const bool full = __syncthreads_or(row[threadIdx.x] == 20);

    // TODO: add the row's bonus only once.
    if (full) add_bonus<<<1, 64>>>(row);
}
