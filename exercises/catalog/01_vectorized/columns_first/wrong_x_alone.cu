// wrong: race-global
// Only x is used, for both row and column: 16 threads change the same pixel.

extern "C" __global__ void invert(int* image, int width, int height) {
    const int column = blockIdx.x * 16 + threadIdx.x;
    const int row = blockIdx.y * 16 + threadIdx.x;
    if (row < height && column < width) {
        image[row * width + column] = 255 - image[row * width + column];
    }
}
