// wrong: race-global
// Only x is used, for row and column alike: 16 threads meet at each pixel.

extern "C" __global__ void invert(int* image, int width, int height) {
    const int column = blockIdx.x * 16 + threadIdx.x;
    const int row = blockIdx.y * 16 + threadIdx.x;
    if (row < height && column < width) {
        image[row * width + column] = 255 - image[row * width + column];
    }
}
