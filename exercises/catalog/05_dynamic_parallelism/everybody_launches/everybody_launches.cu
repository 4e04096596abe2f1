// everybody_launches.cu: each row with a full score somewhere gets a bonus of 5 for all its places.
//
// Given     points has rows of 64 ints from 0 to 20. A block of 64 threads looks at each row.
// Wanted    Where a row has at least one 20, a child adds 5 to each of the row's 64 ints, once. Other rows stay.
// Budget    At most one launch for each row.
// Trouble   Rows with a 20 end up with far more points than that.
//
// Read on   lesson05-dynamic-parallelism/README.md, "Streams of a kernel"

extern "C" __global__ void add_bonus(int* row) {
    row[threadIdx.x] += 5;
}

extern "C" __global__ void reward(int* points, int rows) {
    int* row = points + blockIdx.x * 64;
    const bool full = __syncthreads_or(row[threadIdx.x] == 20);

    // TODO: the row's bonus is one job.
    if (full) add_bonus<<<1, 64>>>(row);
}
