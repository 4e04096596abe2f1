// wrong: out-of-bounds
// Assumes that the height is a multiple of 16.

extern "C" __global__ void invert(int* image, int width, int height) {
    const int column = blockIdx.x * 16 + threadIdx.x;
    const int row = blockIdx.y * 16 + threadIdx.y;
    image[row * width + column] = 255 - image[row * width + column];
}
