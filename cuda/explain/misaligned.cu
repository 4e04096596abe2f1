// explain/misaligned.cu: the example of docs/explain/misaligned.md.
//
// run: bytes:u8[8]=[1, 2, 3, 4, 5, 6, 7, 8] out:u32[1] kernel=wrong
//   => fault=misaligned-address finding=misaligned
// run: bytes:u8[8]=[1, 2, 3, 4, 5, 6, 7, 8] out:u32[1] kernel=right => out=[84148994]

extern "C" __global__ void wrong(const unsigned char* bytes, unsigned* out) {
    *out = *(const unsigned*)(bytes + 1);
}

extern "C" __global__ void right(const unsigned char* bytes, unsigned* out) {
    unsigned word = 0;
    for (int i = 0; i < 4; i++) word |= bytes[1 + i] << 8 * i;
    *out = word;
}
