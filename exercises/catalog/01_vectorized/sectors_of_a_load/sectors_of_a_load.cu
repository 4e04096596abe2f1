// sectors_of_a_load: how many sectors?
//
// A load of a warp has 32 addresses. Memory comes in sectors of 32 bytes. The load costs as many
// sectors as its lanes touch. `p` is a pointer to int, at a multiple of 256 bytes. `p4` is the same
// address as a pointer to int4; lane is 0 to 31. How many sectors does each load cost?
//
// Do       Write the eight numbers. Nothing is loaded here: the check computes the sectors, lane by
//          lane. It says which numbers are wrong, not the right ones.
// Read     lesson01-vectorized/README.md, "What a load costs"

extern "C" __global__ void answers(int* sectors) {
    // TODO: your numbers
    sectors[0] = 0; // (a) p[lane]
    sectors[1] = 0; // (b) p[lane + 1]
    sectors[2] = 0; // (c) p[2 * lane]
    sectors[3] = 0; // (d) p[8 * lane]
    sectors[4] = 0; // (e) p[16 * lane]
    sectors[5] = 0; // (f) p[0]
    sectors[6] = 0; // (g) p4[lane]
    sectors[7] = 0; // (h) p[31 - lane]
}
