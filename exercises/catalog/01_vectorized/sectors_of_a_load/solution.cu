// 128 bytes side by side are 4 sectors. One int later touches a fifth. From 8 ints apart, each lane has its own.

extern "C" __global__ void answers(int* sectors) {
    sectors[0] = 4;  // (a) 128 bytes side by side
    sectors[1] = 5;  // (b) the same, and 4 bytes of a fifth
    sectors[2] = 8;  // (c) 256 bytes
    sectors[3] = 32; // (d) one sector per lane
    sectors[4] = 32; // (e) still one sector per lane, with others between them
    sectors[5] = 1;  // (f) one address
    sectors[6] = 16; // (g) 512 bytes side by side
    sectors[7] = 4;  // (h) as (a), in another order
}
